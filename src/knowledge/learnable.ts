import { sha256, visibleText } from "../shared/index.js";
import { splitLines, closesFence, openedFence } from "./lines.js";
import { foldText } from "./words.js";

/** What may be learnt from a text, and how far it may be trusted. */
export interface Learnable {
  /** Empty when nothing of its own is left. */
  text: string;
  /** `untrusted` never becomes active without a person. */
  trust: "untrusted" | "bot";
  /** What was taken out, for the record. */
  removed: { hidden: boolean; quoted: number; injected: number };
}

/** Blocks in which models are shown what we know. */
const INJECTED_BLOCK =
  /<(knowledge|memory|memories|experience|rules|context)>[\s\S]*?(?:<\/\1>|$)|<!--\s*accrue:[\s\S]*?-->/gi;
/** A line that begins as our own knowledge is shown: `[EXP-7K3M2P9Q] …`. */
const INJECTED_LINE = /^\s*(?:[-*+>]\s+)?\[(?:EXP-[0-9A-Z]{4,32}|R-[0-9A-Z]{6,8})\]/i;
const LEAD_IN = /^[^:：]{1,60}[:：]\s*/;
/** Shorter pieces, counted in letters, say too little to know them again. */
const MIN_PIECE = 4;

/**
 * What of a text is its author's own: without hidden text, quotes, and what was shown to whoever wrote it, which is known by
 * its marks and by the hash of each sentence. Whatever is learnt must pass through here first.
 */
export function learnable(
  text: string,
  from: { trust: "untrusted" | "bot"; injected: readonly string[] },
): Learnable {
  const visible = visibleText(text);
  const shown = new Set(from.injected.flatMap((item) => piecesOf(visibleText(item)).map(hashOf)));
  const withoutBlocks = visible.replace(INJECTED_BLOCK, "\n");
  const removed = {
    hidden: visible !== text.normalize("NFC"),
    quoted: 0,
    injected: withoutBlocks === visible ? 0 : 1,
  };
  let fence: string | null = null;
  const kept: string[] = [];
  for (const line of splitLines(withoutBlocks)) {
    const isFenced = fence !== null;
    if (fence === null) fence = openedFence(line);
    else if (closesFence(line, fence)) fence = null;
    if (!isFenced && /^\s*>/.test(line)) {
      removed.quoted += 1;
      continue;
    }
    const own = isFenced ? keepCode(line, shown) : keepOwn(line, shown);
    if (own.trim() !== line.trim()) removed.injected += 1;
    if (own.trim() !== "" || line.trim() === "") kept.push(own);
  }
  const rest = kept
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return { text: /[\p{L}\p{N}]/u.test(rest) ? rest : "", trust: from.trust, removed };
}

function keepCode(line: string, shown: ReadonlySet<string>): string {
  return isShown(line, shown) ? "" : line;
}

/** A line without the sentences that were shown; as it was when there are none. */
function keepOwn(line: string, shown: ReadonlySet<string>): string {
  if (INJECTED_LINE.test(line) || isShown(line, shown)) return "";
  const pieces = sentences(line);
  const own = pieces.filter((piece) => !isShown(piece, shown));
  return own.length === pieces.length ? line : own.join("").trimEnd();
}

function isShown(piece: string, shown: ReadonlySet<string>): boolean {
  // "As the notes say: …" adds nothing.
  return isKnownPiece(piece, shown) || isKnownPiece(piece.replace(LEAD_IN, ""), shown);
}

function isKnownPiece(piece: string, shown: ReadonlySet<string>): boolean {
  return plain(piece).length >= MIN_PIECE && shown.has(hashOf(piece));
}

/** Lines and their sentences: a model repeats one without the other. */
function piecesOf(text: string): string[] {
  const lines = splitLines(text).flatMap((line) => [line, line.replace(LEAD_IN, ""), ...sentences(line)]);
  return lines.filter((line) => plain(line).length >= MIN_PIECE);
}

function sentences(line: string): string[] {
  return line.match(/.+?(?:[。！？；]+|[.!?;]+(?=\s|$)\s*|$)/gu) ?? [];
}

/** A sentence as it is compared: without marks, case and punctuation, so that a reworded bullet is the same. */
function plain(piece: string): string {
  return foldText(piece)
    .replace(/^\s*(?:\d+[.)]\s)?/, "")
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

function hashOf(piece: string): string {
  return sha256(plain(piece));
}
