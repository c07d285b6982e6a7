import { parse } from "yaml";
import { splitLines } from "./lines.js";
import type { Problem } from "./types.js";

/** The head of a Markdown file between `---` lines, and the text below it. */
export interface Frontmatter {
  /** The keys with one value each, as text; nested keys are left to the file. */
  values: ReadonlyMap<string, string>;
  /** The keys with a list of values as YAML writes one. */
  lists: ReadonlyMap<string, readonly string[]>;
  /** How many lines the head takes, so that problems below it are at their line. */
  lineCount: number;
  body: string;
  problems: Problem[];
}

const FENCED = /^\uFEFF?---[ \t]*\r?\n((?:[^\n]*\n)*?)---[ \t]*(?:\r?\n|$)/;

/** Reads the head of a file; broken YAML is a problem, and what can be read line by line still counts. */
export function readFrontmatter(file: string, text: string): Frontmatter {
  const found = FENCED.exec(text);
  const lists = new Map<string, readonly string[]>();
  if (!found) return { values: new Map(), lists, lineCount: 0, body: text, problems: [] };
  const head = found[1] ?? "";
  const lineCount = splitLines(found[0]).length - 1;
  const body = text.slice(found[0].length);
  const plain = readPlain(head);
  if (plain !== null) return { values: plain, lists, lineCount, body, problems: [] };
  try {
    // "failsafe" keeps every scalar as the text it was: no dates, numbers or booleans appear.
    const parsed: unknown = parse(head, { schema: "failsafe", logLevel: "error" });
    const entries =
      parsed && typeof parsed === "object" && !Array.isArray(parsed) ? Object.entries(parsed) : [];
    const scalars = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
    for (const [key, items] of entries)
      if (Array.isArray(items))
        lists.set(
          key,
          items.filter((item) => typeof item === "string"),
        );
    return { values: new Map(scalars), lists, lineCount, body, problems: [] };
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
    const message = `The frontmatter is not valid YAML (${reason}): put the value in double quotes.`;
    const problems = [{ file, line: 1, code: "frontmatter", message }];
    return { values: readScalars(head), lists, lineCount, body, problems };
  }
}

/** Sets keys in the head of a file and touches no other byte; a file without a head gets one. */
export function setFrontmatter(text: string, changes: Readonly<Record<string, string>>): string {
  const found = FENCED.exec(text);
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  let head = found?.[1] ?? "";
  for (const [key, value] of Object.entries(changes)) {
    const line = `${key}: ${quoteScalar(value)}${lineEnd}`;
    // A value may go on over indented lines, which belong to it.
    const old = new RegExp(`^${key}:[^\\n]*\\n(?:[ \\t]+[^\\n]*\\n)*`, "m");
    head = old.test(head) ? head.replace(old, () => line) : head + line;
  }
  if (found) {
    const start = text.indexOf("\n") + 1;
    return text.slice(0, start) + head + text.slice(start + (found[1] ?? "").length);
  }
  return `---${lineEnd}${head}---${lineEnd}${lineEnd}${text.replace(/^\uFEFF/, "")}`;
}

/** A value that YAML reads back as the same text. */
export function quoteScalar(value: string): string {
  return /^[A-Za-z0-9][\w./@+-]*(:\/\/[\w./@#?=&%+-]+)?$/.test(value) ? value : JSON.stringify(value);
}

/** What `quoteScalar` writes needs no YAML, which takes ten times as long; null for anything else. */
function readPlain(head: string): Map<string, string> | null {
  const values = new Map<string, string>();
  for (const line of splitLines(head)) {
    if (line === "") continue;
    const [, key, plain, quoted] =
      /^([A-Za-z_]\w*): (?:([A-Za-z0-9][\w./@+-]*)|("(?:[^"\\]|\\["\\nt])*"))$/.exec(line) ?? [];
    if (key === undefined || values.has(key)) return null;
    values.set(key, quoted === undefined ? (plain ?? "") : String(JSON.parse(quoted)));
  }
  return values;
}

function readScalars(head: string): Map<string, string> {
  const lines = splitLines(head).flatMap((line) => {
    const [, key, value] = /^([A-Za-z_]\w*):[ \t]+(.*?)\s*$/.exec(line) ?? [];
    return key === undefined || value === undefined
      ? []
      : [[key, value.replace(/^(["'])(.*)\1$/, "$2")] as const];
  });
  return new Map(lines);
}
