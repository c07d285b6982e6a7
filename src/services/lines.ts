import type { Tree } from "../knowledge/index.js";
import { clipEnd } from "../shared/index.js";
import type { Fact } from "./types.js";

const MAX_TEXT = 160;

/** A text of somebody's repository as one line of a document: no markers, no ends of lines. */
export function plain(text: string, max: number = MAX_TEXT): string {
  const words = text
    .replaceAll(/<!--|-->|\p{Cc}+/gu, " ")
    .replaceAll("`", "'")
    .replaceAll(/\s+/g, " ");
  return clipEnd(words.trim(), max);
}

/** The number of the line that an index is in, counted from 1. */
export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < index; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** Each line of a text with its number. */
export function linesOf(text: string): { text: string; number: number }[] {
  return text.split(/\r?\n/).map((line, index) => ({ text: line, number: index + 1 }));
}

/** The files whose path fits, those nearest to the root first. */
export function filesLike(files: Tree, pattern: RegExp): [path: string, text: string][] {
  const depth = (path: string) => path.split("/").length;
  return [...files]
    .filter(([path]) => pattern.test(path))
    .sort(([a], [b]) => depth(a) - depth(b) || (a < b ? -1 : 1));
}

/** Facts, each text once. */
export function once(facts: readonly Fact[]): Fact[] {
  const seen = new Set<string>();
  return facts.filter(({ text }) => !seen.has(text) && Boolean(seen.add(text)));
}
