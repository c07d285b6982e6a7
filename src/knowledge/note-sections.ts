import type { Language } from "../shared/index.js";
import type { Line } from "./lines.js";
import { splitList } from "./lists.js";
import type { Note } from "./types.js";

/** The five parts of an experience note. */
export type SectionName = "problem" | "triggers" | "solution" | "verification" | "related";

/** The five headings of an experience note, in the order they are written. */
export const HEADINGS: Readonly<Record<SectionName, Readonly<Record<Language, string>>>> = {
  problem: { en: "Problem", zh: "问题描述" },
  triggers: { en: "Triggers", zh: "触发条件" },
  solution: { en: "Solution", zh: "解决方案" },
  verification: { en: "Verification", zh: "校验方式" },
  related: { en: "Related", zh: "关联文档" },
};
/** The parts in the order they are written. */
export const SECTION_NAMES = Object.keys(HEADINGS) as SectionName[];

/** The typed trigger keys of a note, by their English and Chinese names. */
export const TRIGGER_KEYS = {
  keywords: "关键词",
  paths: "路径",
  symbols: "符号",
  labels: "标签",
  phases: "阶段",
} as const;
/** A kind of typed trigger in a note. */
export type TriggerKey = keyof typeof TRIGGER_KEYS;

/** Where a part of a note stands: its heading and the lines up to the next one, as indexes. */
interface Section {
  name: SectionName | null;
  heading: number;
  end: number;
}

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/;
const BULLET = /^\s*[-*+]\s+(.*\S)\s*$/;
const TRIGGER = /^\*{0,2}([A-Za-z]+|\p{Script=Han}{2,4})\*{0,2}\s*[:：]\*{0,2}\s*(.+)$/u;

/** The level of a heading line and the part it opens, or null for any other line. */
export function headingOf(text: string): { level: number; name: SectionName | null; title: string } | null {
  const [, marks, title] = HEADING.exec(text) ?? [];
  if (marks === undefined || title === undefined) return null;
  // "## 问题描述 / Problem:" names the same part twice.
  const words = title.split("/").map((word) =>
    word
      .replace(/[:：]\s*$/, "")
      .trim()
      .toLowerCase(),
  );
  const name = SECTION_NAMES.find((candidate) =>
    words.some((word) => word === HEADINGS[candidate].zh || word === HEADINGS[candidate].en.toLowerCase()),
  );
  return { level: marks.length, name: name ?? null, title };
}

/** True for a line that ends the part it stands in, so that free text must not contain it as it is. */
export function opensSection(text: string): boolean {
  const heading = headingOf(text);
  return heading !== null && (heading.level <= 2 || heading.name !== null);
}

/** Cuts a note into its parts; a part goes on until a heading of its own level or above, or of another part. */
export function cutSections(lines: readonly Line[]): Section[] {
  const sections: Section[] = [];
  let open: (Section & { level: number }) | null = null;
  for (const [index, line] of lines.entries()) {
    const heading = line.isCode ? null : headingOf(line.text);
    if (!heading || !(heading.name !== null || heading.level <= Math.max(2, open?.level ?? 0))) continue;
    if (open) sections.push({ name: open.name, heading: open.heading, end: index });
    open = { name: heading.name, heading: index, end: lines.length, level: heading.level };
  }
  if (open) sections.push({ name: open.name, heading: open.heading, end: lines.length });
  return sections;
}

/** Reads trigger bullets: `key: list` is typed evidence, any other line is free text. */
export function readTriggers(
  lines: readonly Line[],
  report: (line: number, message: string) => void,
): Note["triggers"] {
  const triggers: Note["triggers"] = {
    keywords: [],
    paths: [],
    symbols: [],
    labels: [],
    phases: [],
    text: [],
  };
  for (const line of lines.filter(({ text, isCode }) => !isCode && text.trim() !== "")) {
    const text = BULLET.exec(line.text)?.[1] ?? line.text.trim();
    const [, name = "", value = ""] = TRIGGER.exec(text) ?? [];
    const key = triggerKey(name);
    const list = key ? splitList(value) : null;
    if (!key || !list) triggers.text.push(text);
    else if (list.fault) report(line.number, `"${name}" has ${list.fault}: put the item in backticks.`);
    else triggers[key].push(...list.items.map((item) => item.text));
  }
  return triggers;
}

/** The bullets of a part, or its lines when it has none. */
export function readBullets(lines: readonly Line[]): string[] {
  const shown = lines.filter((line) => line.text.trim() !== "");
  const bullets = shown.flatMap(({ text }) => BULLET.exec(text)?.[1] ?? []);
  return bullets.length > 0 ? bullets : shown.map(({ text }) => text.trim());
}

function triggerKey(name: string): TriggerKey | null {
  const word = name.normalize("NFKC").toLowerCase();
  const keys = Object.entries(TRIGGER_KEYS) as [TriggerKey, string][];
  return (
    keys.find(([english, chinese]) => word === english || `${word}s` === english || word === chinese)?.[0] ??
    null
  );
}
