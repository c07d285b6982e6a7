import { sha256 } from "../shared/index.js";
import { foldId } from "./library.js";
import { codeSpan } from "./lists.js";
import { isQualified } from "./qualify.js";
import type { Lookups, Note, Tree } from "./types.js";

const EVIDENCE = /`([^`]+)`(?:\s*@\s*`([^`]+)`)?.*\bsha256:([0-9a-f]{8,64})/i;
const HASH_LENGTH = 16;

/** A place in the code that a note rests on. */
export interface Cited {
  path: string;
  /** Null where the whole file is meant. */
  symbol: string | null;
  /** The first hexadecimal digits of the SHA-256 of the definition, or of the file. */
  hash: string;
}

/** What a line of evidence cites, or null for any other line. */
export function citedBy(line: string): Cited | null {
  const [, place = "", named, hash = ""] = EVIDENCE.exec(line) ?? [];
  const [path = "", symbol = null] = place.split("#");
  // What another repository holds cannot be seen from here.
  if (!hash || isQualified(path)) return null;
  return { path, symbol: named ?? symbol, hash: hash.toLowerCase() };
}

/** A line of evidence. Of a definition only its own text counts, so that the rest of the file may change. */
export function formatEvidence(code: { path: string; symbol: string | null; text: string }): string {
  const symbol = code.symbol === null ? "" : ` @ ${codeSpan(code.symbol)}`;
  return `${codeSpan(code.path)}${symbol} sha256:${hashOf(code.text).slice(0, HASH_LENGTH)}`;
}

/** All code that notes of a tree cite: what has to be read to verify them. */
export function citedCode(notes: readonly Note[]): Cited[] {
  return notes.flatMap((note) => note.related.flatMap((line) => citedBy(line) ?? []));
}

/** Tells of notes whether the code they cite is still the same; null when they cite nothing that can be seen. */
export function createVerifier(
  tree: Tree,
  notes: readonly Note[],
  { fileText, symbolText }: Lookups,
): (noteIds: readonly string[]) => boolean | null {
  const byId = new Map(notes.map((note) => [foldId(note.id), note]));
  const holds = ({ path, symbol, hash }: Cited): boolean | null => {
    const text = tree.get(path) ?? fileText?.(path);
    if (typeof text === "string" && isCitedText(text, hash)) return true;
    const definition = symbol === null || !symbolText ? undefined : symbolText(path, symbol);
    if (typeof definition === "string") return isCitedText(definition, hash);
    if (definition === null || typeof text === "string") return false;
    // A file that somebody has looked for and that is not there is gone.
    return text === null && symbol === null ? false : null;
  };
  return (noteIds) => {
    const cited = citedCode(noteIds.flatMap((id) => byId.get(foldId(id)) ?? []));
    const results = cited.map(holds).filter((result) => result !== null);
    return results.length === 0 ? null : results.every(Boolean);
  };
}

/** True when a text is the one that was cited. */
export function isCitedText(text: string, hash: string): boolean {
  return hashOf(text).startsWith(hash);
}

/** Line ends are a matter of the checkout and no change. */
function hashOf(text: string): string {
  return sha256(text.replaceAll("\r\n", "\n"));
}
