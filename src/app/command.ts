import type { Autonomy } from "../requirements/index.js";
import { ASKING_WORDS, type Intent } from "../orchestrator/index.js";
import { closest } from "../shared/index.js";
import { readDeposit } from "./deposit-words.js";
import type { Mention } from "./mention.js";
import { BESIDES, proofIn } from "./proof-words.js";

// The end of a command word; what follows in Chinese needs no space, so those words are listed as they are used.
const END = String.raw`(?![\p{L}\p{N}_-])`;
const ALONE = String.raw`[\s\p{P}]*$`;
const word = (english: string, chinese: string, end = END) =>
  new RegExp(String.raw`^(?:(?:${english})${end}|(?:${chinese})${end})`, "iu");

const POLITE = /^(?:please\s+|pls\s+|请)/iu;
const LEADING = /^[\s\p{P}]+/u;

const HELP = word("help", "帮助", ALONE);
const BILL = word("bill", "账单", ALONE);
const STOP = word("stop", "停止(?:运行|任务|吧)?");
const RETRY = word("retry", "重试(?:一次|吧)?");
/** What it goes on with may follow at once: 继续做REQ-12. */
const CONTINUE = word("continue", "继续(?:吧|做|完成|处理|推进)?", String.raw`(?:${END}|(?=REQ-\d))`);
// An amount has to follow, or nothing: "budget the new feature" is a wish.
const BUDGET =
  /^(?:budget(?![\p{L}\p{N}_-])|预算)\s*(?<how>加到|提高到|增加到|调到|改为|设为|增加|追加|加)?(?=[\s\p{P}+＋]*(?:[$＄¥￥]?\s*(?:\p{Nd}|$)|usd))/iu;
const MORE = new Set(["增加", "追加", "加"]);
const APPROVE = word("approve", "批准|同意");
/** Who goes on or approves with a "but" wants something else: taken for a bare command, it would be lost. */
const RESERVED = new RegExp(
  String.raw`^(?:(?:but|however|except|instead)${END}|但|不过|只是|可是|除了)`,
  "iu",
);
/** An approval that hangs on something approves nothing yet. */
const CONDITIONAL = new RegExp(
  String.raw`^(?:(?:if|once|when|after|unless|until|only|not|provided|as soon as)${END}|如果|只要|除非|前提|等)`,
  "iu",
);
/** Alone there is nothing to change; with a reason it is a wish like others. */
const REJECT = word("reject", "拒绝|驳回|不同意", ALONE);
/** With nothing or one word behind it: "autonomy of the rover" is a wish. */
const AUTONOMY =
  /^(?:autonomy(?![\p{L}\p{N}_-])|自主(?:级别|程度|等级)(?:设为|改为|调到|改成)?)[\s:：=]*(?<level>[\p{L}\p{N}_-]*)[\s\p{P}]*$/iu;
const LEVELS: ReadonlyMap<string, Autonomy> = new Map([
  ["confirm", "confirm"],
  ["确认", "confirm"],
  ["review", "review"],
  ["评审", "review"],
  ["auto", "auto"],
  ["自动", "auto"],
]);
/** Alone: "confirm the order by mail" is a wish. */
const CONFIRM = word("confirm", "确认", ALONE);
/** Alone it asks for nothing; with more behind it, it may. */
const THANKS = word(
  "(?:many\\s+)?thanks(?:\\s+(?:a lot|so much))?|thank\\s+you(?:\\s+(?:very|so)\\s+much)?|thx",
  "谢谢|多谢|感谢|辛苦了",
  ALONE,
);
/** In Chinese a question word has to follow, or a space: 问题 and 问卷 begin wishes. */
const ASK = word(
  "ask",
  "提问|问(?:一?下|问)?",
  String.raw`(?:${END}|(?=为什么|为何|这|那|哪|什么|怎么|如何|是否|能否|谁))`,
);
const LOAD = new RegExp(String.raw`^(?:load-services?${END}|加载服务)`, "iu");
const WHY = new RegExp(String.raw`^(?:why${END}|为什么|为何)`, "iu");
/** A command of a folder or a server: `/stop:all` is none of our words. */
const OWN = /^\s*\/[\p{L}\p{N}_][\p{L}\p{N}\p{M}_.-]*:[\p{L}_]/u;
/** Commands that are not built yet: they must not start work by being taken for a wish. */
const NOT_YET = /^(import(?=\s*(?:--from|$)))/iu;

/**
 * Reads what a comment asks for. Only the command word is case-folded; the rest stays as it was typed. Without a command
 * the whole comment is the wish: work on an issue, a change on a pull request.
 */
export function readCommand(mention: Mention, isPull: boolean): Intent {
  const request = mention.after.replace(LEADING, "").replace(POLITE, "");
  const rest = (command: RegExp) => request.replace(command, "").replace(LEADING, "").trim();

  if (OWN.test(mention.after)) return readWish(mention, isPull);
  if (THANKS.test(request) && mention.before.trim() === "")
    return { kind: "ignore", reason: "it only says thanks" };
  if (HELP.test(request)) return { kind: "help", unknown: null };
  if (BILL.test(request)) return { kind: "bill" };
  if (STOP.test(request)) return { kind: "stop", reason: rest(STOP) };
  if ([RETRY, CONTINUE, APPROVE].some((command) => command.test(request) && isReserved(rest(command))))
    return readWish(mention, isPull);
  if (APPROVE.test(request) && CONDITIONAL.test(rest(APPROVE))) return readWish(mention, isPull);
  if (RETRY.test(request)) return { kind: "retry", text: rest(RETRY) };
  if (CONTINUE.test(request)) return { kind: "continue", text: rest(CONTINUE), merged: false };
  const budget = BUDGET.exec(request);
  if (budget) return { kind: "budget", text: budgetOf(request, budget) };
  if (APPROVE.test(request)) return { kind: "approve", text: rest(APPROVE) };
  if (CONFIRM.test(request)) return { kind: "approve", text: "" };
  if (REJECT.test(request)) return { kind: "change", text: "" };
  const autonomy = AUTONOMY.exec(request);
  if (autonomy) return { kind: "autonomy", level: levelOf(autonomy) };
  if (ASK.test(request)) return askOf(mention, rest(ASK));
  if (WHY.test(request)) return askOf(mention, request.trim());
  if (LOAD.test(request)) return { kind: "load-service", text: rest(LOAD) };
  const deposit = readDeposit(request, mention);
  if (deposit) return deposit;
  const unknown = NOT_YET.exec(request)?.[1] ?? mistyped(request);
  if (unknown) return { kind: "help", unknown };
  return readWish(mention, isPull);
}

/** What was said before belongs to the question: it quotes what is asked about. */
function askOf({ before }: Mention, question: string): Intent {
  return { kind: "ask", text: [before.trim(), question].filter(Boolean).join("\n\n") };
}

function isReserved(rest: string): boolean {
  return !/^REQ-\d/i.test(rest) && (RESERVED.test(rest) || BESIDES.test(rest));
}

/** The amount as it was written, with a plus where a word says it. */
function budgetOf(request: string, { 0: command, groups }: RegExpExecArray): string {
  const amount = request
    .slice(command.length)
    .replace(/^[\s:：,，=]+/u, "")
    .trim();
  return MORE.has(groups?.["how"] ?? "") ? `+${amount}` : amount;
}

function levelOf({ groups }: RegExpExecArray): Autonomy | null {
  return LEVELS.get(groups?.["level"]?.toLowerCase() ?? "") ?? null;
}

/** One word that is nearly a command is a slip, and no wish that work should start for. */
function mistyped(request: string): string | null {
  const only = /^([a-z]{3,})[\s\p{P}]*$/iu.exec(request)?.[1] ?? null;
  return only && closest(only.toLowerCase(), ASKING_WORDS) ? only : null;
}

function readWish({ before, after }: Mention, isPull: boolean): Intent {
  const said = before.trim();
  const text = said
    ? `${said} ${after.trim()}`.trim()
    : after.replace(/^[\s,:;!?.，：；！？。、)]+/u, "").trim();
  if (!isPull) return { kind: "start", text };
  if (!text) return { kind: "help", unknown: null };
  const proof = proofIn(after.replace(LEADING, "").replace(POLITE, ""));
  return { kind: "change", text, ...(proof && { proof }) };
}
