import type { Deposit, Rule, WaitingDeposit } from "../knowledge/index.js";
import { type Language, clipMiddle, inertLine } from "../shared/index.js";

const DAY_MS = 86_400_000;
const MAX_SHOWN = 60;
const MAX_CELL = 300;

const TEXTS = {
  en: {
    title: "Knowledge that needs a look",
    head: (base: string) =>
      `What stands here does not count yet, because a person has to look at it first. **Merging** makes all of it count, **closing** leaves it waiting. Change or delete lines here as you like; to drop one for good, delete its file from \`${base}\`.`,
    nothing: "Nothing waits any more: this can be closed.",
    would: "adds",
    note: (file: string) => `the note \`${file}\``,
    section: (file: string) => `a section of \`${file}\``,
    rule: (kind: string, level: string) => `a ${kind} rule of level ${level}`,
    why: "Look, because",
    stuck: (base: string) =>
      `Not in this pull request: it has to be repaired in its file on \`${base}\` first.`,
    since: (days: number) => (days > 0 ? `, waiting for ${days} ${days === 1 ? "day" : "days"}` : ""),
    by: "by",
    more: (count: number) => `… and ${count} more in \`context/deposits/\`.`,
    unreadable: "a deposit that cannot be read",
  },
  zh: {
    title: "需要确认的经验",
    head: (base: string) =>
      `这里的内容需要有人看过才会生效。**合并**即全部生效，**关闭**则继续等待。可以在这里直接修改或删除；要彻底放弃某一条，请在 \`${base}\` 上删除它的文件。`,
    nothing: "已没有等待确认的内容，可以关闭。",
    would: "将写入",
    note: (file: string) => `经验 \`${file}\``,
    section: (file: string) => `\`${file}\` 中的一节`,
    rule: (kind: string, level: string) => `一条 ${kind} 规则，级别 ${level}`,
    why: "需要确认，因为",
    stuck: (base: string) => `不在这个 PR 里：需要先在 \`${base}\` 上修复它的文件。`,
    since: (days: number) => (days > 0 ? `，已等待 ${days} 天` : ""),
    by: "来自",
    more: (count: number) => `…… 另有 ${count} 条，见 \`context/deposits/\`。`,
    unreadable: "一份无法读取的记录",
  },
} as const satisfies Record<Language, unknown>;

/** What the review's pull request says of each deposit: what it would do, who said it, and why somebody has to look. */
export function reviewText(
  { waiting, stuck }: { waiting: readonly WaitingDeposit[]; stuck: ReadonlySet<string> },
  { language, now, base }: { language: Language; now: string; base: string },
): { title: string; body: string } {
  const say = TEXTS[language];
  const items = waiting
    .slice(0, MAX_SHOWN)
    .map((one) => itemOf(one, { language, now, base, isStuck: stuck.has(one.path) }));
  const left = waiting.slice(MAX_SHOWN);
  // Each path is named, so that it is known later what was shown.
  const more =
    left.length > 0 ? [`${say.more(left.length)}\n${left.map(({ path }) => `\`${path}\``).join(" ")}`] : [];
  const body = waiting.length === 0 ? [say.nothing] : [say.head(base), ...items, ...more];
  return { title: say.title, body: body.join("\n\n") };
}

function itemOf(
  { path, deposit, target, reasons }: WaitingDeposit,
  { language, now, base, isStuck }: { language: Language; now: string; base: string; isStuck: boolean },
): string {
  const say = TEXTS[language];
  const why = `${say.why}: ${reasons.map(cell).join("; ")}`;
  const lines =
    deposit === null ? [`**${say.unreadable}** · \`${path}\``] : depositLines(path, deposit, now, language);
  const effects = deposit === null ? [] : effectsOf(deposit, target, language);
  return [...lines, ...effects, why, ...(isStuck ? [say.stuck(base)] : [])]
    .map((line, index) => (index === 0 ? `- ${line}` : `  - ${line}`))
    .join("\n");
}

function depositLines(
  path: string,
  { note, by, source, at }: Deposit,
  now: string,
  language: Language,
): string[] {
  const say = TEXTS[language];
  const days = Math.floor((Date.parse(now) - Date.parse(at)) / DAY_MS);
  const where = /^https?:\/\/\S+$/.test(source) ? ` ([↗](${source}))` : "";
  return [
    `**${note.id} ${cell(note.title)}** · ${say.by} \`${cell(by)}\`${where}${say.since(days)} · \`${path}\``,
    `> ${cell(note.solution)}`,
  ];
}

function effectsOf({ into, rules }: Deposit, target: string, language: Language): string[] {
  const say = TEXTS[language];
  const place = into === undefined ? say.note(target) : say.section(target);
  const ruleText = (rule: Rule) => {
    const said = rule.alert || rule.title;
    return `${say.rule(rule.kind, rule.level)}: ${cell(said)}`;
  };
  return [`${say.would} ${[place, ...rules.map(ruleText)].join("; ")}`];
}

/** Words of others on one line, in which nothing speaks to anybody. */
function cell(text: string): string {
  return inertLine(clipMiddle(text, MAX_CELL));
}
