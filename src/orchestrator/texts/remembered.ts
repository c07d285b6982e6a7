import type { Deposit, RecordedRemark, SkippedLesson } from "../../knowledge/index.js";
import { type Language, clipMiddle, inertLine } from "../../shared/index.js";
import type { PushedKnowledge } from "../push-knowledge.js";
import type { Remark } from "../remark.js";
import type { Links } from "./words.js";

const MAX_QUOTE = 300;
const MAX_TRIGGERS = 4;

/** What the answer to `remember` speaks of. */
export interface RememberedView extends PushedKnowledge<RecordedRemark> {
  remark: Remark;
  links: Links;
  mention: string;
  /** Where it lies, `owner/name`; empty where it was said. */
  repository: string;
}

/** The answer to `remember`: what was understood, what was recorded and where, what waits and why, and how to undo it. */
export function rememberedText(language: Language, view: RememberedView): string {
  const { made } = view;
  const say = SAY[language];
  const blocks = [
    headOf(language, view),
    understood(language, view),
    ...lessonsOf(language, view),
    ...made.contradictions.map(({ id, said, note, new: now }) =>
      say.contradicts({ id: named(id), note, said: quote(said), now: quote(now), mention: view.mention }),
    ),
    ...skippedLines(language, made.skipped),
    made.deposits.length === 0 ? "" : say.undo(undoOf(view)),
  ];
  return blocks.filter(Boolean).join("\n\n");
}

function headOf(language: Language, view: RememberedView): string {
  const { made, links, branch } = view;
  const say = SAY[language];
  const [first] = made.deposits;
  if (!first) return made.skipped.some(({ code }) => code === "known") ? say.known : say.nothing;
  const where = placeOf(view);
  const rules = made.deposits.flatMap((deposit) => deposit.rules).length;
  const waits = made.deposits.every(({ note }) => note.trust === "untrusted");
  const what =
    made.deposits.length === 1
      ? `[${first.note.id}](${links.file(branch, first.note.file)})`
      : say.several(made.deposits.length);
  return say.recorded({ what, where, rules, waits, isOne: made.deposits.length === 1 });
}

/** What is meant by "this" is shown, so that a person sees it when it was something else. */
function understood(language: Language, { remark }: RememberedView): string {
  if (remark.kind === "said") return "";
  const say = SAY[language];
  const from = remark.kind === "fix" ? say.fromFix : say.fromComment(remark.by, remark.source);
  return `${from}\n> ${quote(remark.text)}`;
}

function lessonsOf(language: Language, view: RememberedView): string[] {
  const { made, links, branch } = view;
  const say = SAY[language];
  const isOne = made.deposits.length === 1;
  return made.deposits.flatMap((deposit) => {
    const { note, into } = deposit;
    const head = isOne ? "" : `- [${note.id}](${links.file(branch, note.file)}) ${inertLine(note.title)}`;
    const filed = into === undefined ? "" : say.into(`\`${into}\``);
    const rules = deposit.rules.map((rule) => ruleLine(language, rule));
    const aliases = (deposit.aliases ?? []).map((names) => say.aliases(names.map(inertLine).join(" = ")));
    const waits = reviewOf(language, deposit);
    return [
      isOne ? filed : [head, filed].filter(Boolean).join(" · "),
      rules.join("\n>\n"),
      ...aliases,
      waits,
    ];
  });
}

function ruleLine(language: Language, rule: Deposit["rules"][number]): string {
  const say = SAY[language];
  const places = [...rule.paths, ...rule.symbols].slice(0, MAX_TRIGGERS).map((name) => `\`${name}\``);
  const words = rule.keywords.slice(0, MAX_TRIGGERS).map(inertLine);
  const level = rule.kind === "risk" || rule.level === "block" ? ` · ${rule.level}` : "";
  const when = say.when(places.join(say.list), words.join(say.list));
  return `> **${rule.kind}${level}** — ${when}${inertLine(rule.alert || rule.suggest.join(say.list) || rule.title)}`;
}

function reviewOf(language: Language, { note, rules, by }: Deposit): string {
  const say = SAY[language];
  const blocks = rules.filter(({ level }) => level === "block").map(({ id }) => id);
  const reasons = [
    ...(note.trust === "untrusted" ? [say.untrusted(by)] : []),
    ...(blocks.length > 0 ? [say.block(blocks.join(", "))] : []),
  ];
  return reasons.length === 0 ? "" : say.review(reasons.join(say.and));
}

function skippedLines(language: Language, skipped: readonly SkippedLesson[]): string[] {
  const say = SAY[language];
  return skipped.map(({ title, code, reason, known }) => {
    const why = code === "known" ? say.knownAs(named(known ?? "")) : (say.reasons[code] ?? inertLine(reason));
    return say.skipped(title === "" ? "" : quote(title), why);
  });
}

function undoOf({ made, mention }: RememberedView): string {
  return made.deposits.map(({ note }) => `\`${mention} forget ${note.id}\``).join(" · ");
}

/** Where it went, as people find it; GitHub links a number of another repository by that one's name. */
export function placeOf({
  pull,
  branch,
  repository,
}: Pick<RememberedView, "pull" | "branch" | "repository">): string {
  if (pull !== null) return `${repository}#${pull}`;
  return repository === "" ? `\`${branch}\`` : `\`${repository}\` \`${branch}\``;
}

function named(id: string): string {
  return /^[\w-]+$/.test(id) ? id : `\`${id.replaceAll("`", "")}\``;
}

function quote(text: string): string {
  return clipMiddle(inertLine(text), MAX_QUOTE);
}

interface Contradicts {
  id: string;
  note: string;
  said: string;
  now: string;
  mention: string;
}

interface Head {
  what: string;
  where: string;
  rules: number;
  waits: boolean;
  isOne: boolean;
}

const SAY = {
  en: {
    recorded: ({ what, where, rules, waits, isOne }: Head) =>
      `${waits ? "⏸" : "✅"} Recorded ${what} in ${where}${rules === 0 ? "" : `, with ${rules === 1 ? "one rule" : `${rules} rules`}`}. ${
        waits
          ? `${isOne ? "It does" : "They do"} not count yet.`
          : `${isOne ? "It counts" : "They count"} at once, as pending until that is merged.`
      }`,
    several: (count: number) => `${count} lessons`,
    known: "✅ Nothing new was recorded: it is known already.",
    nothing: "⚠ Nothing was recorded.",
    fromFix: "Understood as the last failure and its fix on this pull request:",
    fromComment: (by: string, url: string) => `Understood as [what \`@${by}\` said](${url}):`,
    into: (document: string) => `It becomes a section of ${document}.`,
    aliases: (names: string) =>
      `Proposed as names that mean the same: ${names}. Somebody has to confirm them.`,
    when: (places: string, words: string) => {
      const parts = [places && `${places} changes`, words && `the text says ${words}`].filter(Boolean);
      return parts.length === 0 ? "" : `when ${parts.join(" or ")}: `;
    },
    list: ", ",
    and: "; ",
    untrusted: (by: string) => `it is by \`@${by}\`, who may not write here`,
    block: (ids: string) => `${ids} would stop work`,
    review: (reasons: string) => `⏸ It waits until a person has looked at it: ${reasons}.`,
    skipped: (title: string, why: string) => `Not recorded${title && `: ${title}`} — ${why}.`,
    knownAs: (id: string) => `${id} says it already`,
    reasons: {
      repeats: "it only repeats what was shown or quoted",
      secret: "it would hold a secret",
    } as Readonly<Record<string, string>>,
    contradicts: ({ id, note, said, now, mention }: Contradicts) =>
      `⚠ It contradicts ${id}. Both are kept: which one is right?\n> ${id}: ${said}\n>\n> ${note}: ${now}\n\n\`${mention} forget …\` retires the wrong one.`,
    undo: (how: string) => `Undo: ${how}`,
  },
  zh: {
    recorded: ({ what, where, rules, waits }: Head) =>
      `${waits ? "⏸" : "✅"} 已记录 ${what}，位于 ${where}${rules === 0 ? "" : `，规则 ${rules} 条`}；${
        waits ? "尚未生效。" : "立即生效（待合并）。"
      }`,
    several: (count: number) => `${count} 条经验`,
    known: "✅ 没有新增：已有相同的经验。",
    nothing: "⚠ 没有记录。",
    fromFix: "理解为本 PR 最近一次失败及其修复：",
    fromComment: (by: string, url: string) => `理解为 [\`@${by}\` 的评论](${url})：`,
    into: (document: string) => `将成为 ${document} 的一节。`,
    aliases: (names: string) => `建议的同义名称：${names}，需有人确认。`,
    when: (places: string, words: string) => {
      const parts = [places && `改动 ${places}`, words && `文中提到 ${words}`].filter(Boolean);
      return parts.length === 0 ? "" : `${parts.join("或")}时：`;
    },
    list: "、",
    and: "；",
    untrusted: (by: string) => `内容来自没有写权限的 \`@${by}\``,
    block: (ids: string) => `${ids} 会中止工作`,
    review: (reasons: string) => `⏸ 需有人审阅后才生效：${reasons}。`,
    skipped: (title: string, why: string) => `未记录${title && `：${title}`} — ${why}。`,
    knownAs: (id: string) => `${id} 已有相同内容`,
    reasons: {
      repeats: "只重复了已展示或引用的内容",
      secret: "其中含有密钥",
      invalid: "内容格式无效",
      rule: "有一条规则不会生效，已略去",
    } as Readonly<Record<string, string>>,
    contradicts: ({ id, note, said, now, mention }: Contradicts) =>
      `⚠ 与 ${id} 矛盾，两者都已保留，哪一条正确？\n> ${id}：${said}\n>\n> ${note}：${now}\n\n\`${mention} forget …\` 可停用错误的一条。`,
    undo: (how: string) => `撤销：${how}`,
  },
} as const;
