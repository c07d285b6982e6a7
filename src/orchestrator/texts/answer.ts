import { type BudgetStop, formatTokens, formatUsd } from "../../ledger/index.js";
import { clipEnd, inertLine, inertText } from "../../shared/index.js";
import type { Answered } from "../find-answer.js";
import { ownWords } from "../own-words.js";
import type { Scene } from "../scene.js";
import { linksOf } from "./links.js";

const MAX_QUOTE = 200;
const NANO_PER_USD = 1e9;

interface Limit {
  subject: string;
  used: string;
  of: string;
  /** How people call the bot; null on a command line. */
  mention: string | null;
}

const WORDS = {
  en: {
    failed: (reason: string) =>
      `❌ **Not answered**${reason ? `: ${reason}` : "."} Ask again, or ask for less at once.`,
    cut: (reason: string) => `⚠ Cut short, so it may lack something: ${reason}`,
    rests: "**Rests on**",
    guess: "⚠ Nothing that can be looked up was cited for this: take it as a guess.",
    dropped: (count: number) =>
      count === 1
        ? "One citation led nowhere and was left out."
        : `${count} citations led nowhere and were left out.`,
    read: (branch: string, commit: string) => `read on ${branch} at ${commit}`,
    cost: (usd: string, calls: number) => `${usd}, ${calls} model ${calls === 1 ? "call" : "calls"}`,
    stopped: {
      day: ({ used, of, subject }: Limit) =>
        `⏸ **Not answered: this repository's budget for ${subject} (UTC) is used up**, ${used} of ${of}. Ask again tomorrow, or raise \`budget.day\` in \`.github/agent.yml\`.`,
      requirement: ({ used, of, subject, mention }: Limit) =>
        `⏸ **Not answered: the budget of ${subject} is used up**, ${used} of ${of}; a share of it is kept for validation. ${mention === null ? "Raise `budget.requirement` in `.github/agent.yml`" : `Raise it, such as with \`${mention} budget +$5\``}, and ask again.`,
      task: ({ used, of }: Limit) =>
        `⏸ **Not answered: this would cost more than one task may**, ${used} of ${of}. Ask for less at once, or raise \`budget.task\` in \`.github/agent.yml\`.`,
    },
  },
  zh: {
    failed: (reason: string) => `❌ **未能回答**${reason ? `：${reason}` : "。"}请重新提问，或缩小问题范围。`,
    cut: (reason: string) => `⚠ 查找被提前结束，回答可能不完整：${reason}`,
    rests: "**依据**",
    guess: "⚠ 没有给出可以核对的依据，请当作推测。",
    dropped: (count: number) => `${count} 处引用不存在，已去掉。`,
    read: (branch: string, commit: string) => `依据 ${branch} 的 ${commit}`,
    cost: (usd: string, calls: number) => `${usd}，${calls} 次模型调用`,
    stopped: {
      day: ({ used, of, subject }: Limit) =>
        `⏸ **未回答：本仓库 ${subject}（UTC）的预算已用完**，${used} / ${of}。请明天再问，或在 \`.github/agent.yml\` 中调高 \`budget.day\`。`,
      requirement: ({ used, of, subject, mention }: Limit) =>
        `⏸ **未回答：${subject} 的预算已用完**，${used} / ${of}（其中一部分留给验证）。${mention === null ? "请在 `.github/agent.yml` 中调高 `budget.requirement`" : `请用 \`${mention} budget +$5\` 提高`}后再问。`,
      task: ({ used, of }: Limit) =>
        `⏸ **未回答：超出单个任务的预算**，${used} / ${of}。请缩小问题范围，或在 \`.github/agent.yml\` 中调高 \`budget.task\`。`,
    },
  },
} as const;

/** The answer to a question on its thread: what was asked, the answer, what it rests on, what it cost. Words of the model notify nobody. */
export function answerText({ ask, doors, settings }: Scene, answered: Answered): string {
  const { citations, answer, language } = answered;
  const asked = "text" in ask.intent ? ownWords(ask.intent.text) : "";
  const rests = citations.map(({ source, shows, url }) => {
    const name = `\`${source.replaceAll("`", "'")}\``;
    return `- ${url ? `[${name}](${url})` : name}${shows ? ` — ${inertLine(shows)}` : ""}`;
  });
  const foot = [readAt(answered, doors.port), costOf(answered)].filter(Boolean).join(" · ");
  return [
    `> ${inertLine(clipEnd(asked.replace(/\s+/g, " ").trim(), MAX_QUOTE))}`,
    answer === null ? unanswered(answered, settings.mention, inertLine) : inertText(answer),
    rests.length > 0 ? [WORDS[language].rests, ...rests].join("\n") : "",
    ...remarksOn(answered, inertLine),
    foot ? `<sub>${foot}</sub>` : "",
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** The same for a terminal, where nobody can be notified and nothing is a link. */
export function plainAnswer(answered: Answered): string {
  const { citations, answer } = answered;
  const rests = citations.map(({ source, shows }) => `  ${source}${shows ? `  ${shows}` : ""}`);
  const said = [
    answer ?? unanswered(answered, null, (text) => text),
    rests.join("\n"),
    remarksOn(answered, (text) => text).join("\n"),
    costOf(answered),
  ];
  // What a model writes must not steer the terminal.
  return said
    .filter(Boolean)
    .join("\n\n")
    .replace(/[^\P{C}\n\t]/gu, "");
}

type Inert = (text: string) => string;

/** What people should know of an answer, a sentence each. */
function remarksOn(answered: Answered, inert: Inert): string[] {
  const { answer, citations, dropped, isCutShort, reason, language } = answered;
  const say = WORDS[language];
  if (answer === null) return [];
  return [
    citations.length === 0 ? say.guess : "",
    dropped > 0 ? say.dropped(dropped) : "",
    isCutShort ? say.cut(inert(reason)) : "",
  ].filter(Boolean);
}

/** Why there is no answer, and how to go on. */
function unanswered({ stop, reason, language }: Answered, mention: string | null, inert: Inert): string {
  const say = WORDS[language];
  if (stop === null || stop.limit === "agent") return say.failed(inert(reason));
  return say.stopped[stop.limit]({ ...amountsOf(stop), subject: stop.subject, mention });
}

function readAt({ at, language }: Answered, port: Scene["doors"]["port"]): string {
  if (at === null) return "";
  const branch = `\`${at.branch}\``;
  return WORDS[language].read(
    port ? `[${branch}](${linksOf(port).branch(at.branch)})` : branch,
    `\`${at.commit.slice(0, 7)}\``,
  );
}

function costOf({ nanoUsd, calls, language }: Answered): string {
  return calls === 0 ? "" : WORDS[language].cost(formatUsd(nanoUsd), calls);
}

function amountsOf({ unit, spent, of }: BudgetStop): Pick<Limit, "used" | "of"> {
  const print = (amount: number) =>
    unit === "usd" ? formatUsd(amount * NANO_PER_USD) : formatTokens(amount);
  return { used: print(spent), of: unit === "usd" ? print(of) : `${print(of)} tokens` };
}
