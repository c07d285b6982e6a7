import type { Node } from "web-tree-sitter";
import type { Language } from "../languages.js";
import type { SymbolFact, SymbolKind } from "../types.js";
import type { Raw, RawSymbol } from "./captures.js";
import type { Source } from "./source.js";

/** A definition with its place in the text, in UTF-16 units. */
export interface PlacedSymbol {
  fact: SymbolFact;
  start: number;
  end: number;
  nameStart: number;
}

const MAX_SIGNATURE = 200;
const MAX_DOC = 300;
const COMMENT =
  /^\s*(?:\/\/[/!]?|\/\*\*?|\*\/?|#(?!\s*(?:if|ifdef|ifndef|else|elif|endif|define|undef|include|pragma)\b)|---?|"""|''')\s?/;
const ATTRIBUTE = /^\s*(?:@|#\[|\[)/;

/** The file's definitions in source order, each name once. */
export function readSymbols(raw: Raw, source: Source, language: Language): PlacedSymbol[] {
  const byName = new Map<number, RawSymbol>();
  // The more telling of two patterns comes first in a query file.
  for (const symbol of raw.symbols)
    if (!byName.has(symbol.name.startIndex)) byName.set(symbol.name.startIndex, symbol);
  const ordered = [...byName.values()].sort(
    (a, b) => a.node.startIndex - b.node.startIndex || b.node.endIndex - a.node.endIndex,
  );
  const placed: PlacedSymbol[] = [];
  const open: number[] = [];
  const ordinals = new Map<string, number>();
  for (const symbol of ordered) {
    const { node, name } = symbol;
    while (open.length > 0 && !isInside(node, placed[open.at(-1) ?? 0])) open.pop();
    const parent = open.at(-1) ?? -1;
    const own = name.text.replace(/^:(?!:)/, "");
    const outer = [placed[parent]?.fact.qualified, symbol.owner?.text, own];
    const qualified = outer.filter(Boolean).join(".").replaceAll("::", ".");
    const ordinal = ordinals.get(qualified) ?? 0;
    ordinals.set(qualified, ordinal + 1);
    open.push(placed.length);
    placed.push({
      start: node.startIndex,
      end: node.endIndex,
      nameStart: name.startIndex,
      fact: {
        name: own,
        qualified,
        ordinal,
        kind: kindOf(symbol.kind, placed[parent]?.fact.kind),
        from: node.startPosition.row + 1,
        to: node.endPosition.row + (node.endPosition.column === 0 ? 0 : 1),
        line: name.startPosition.row + 1,
        column: name.startPosition.column,
        signature: signatureOf(symbol, source),
        doc: symbol.doc ? firstParagraph(symbol.doc.text) : docAbove(node.startPosition.row, source),
        isExported: isExported(symbol, raw, language, parent === -1),
        parent,
        type: symbol.type?.text ?? null,
      },
    });
  }
  return placed;
}

/** False for a sibling that has the same node: `int a, b;`. */
function isInside({ startIndex, endIndex }: Node, outer: PlacedSymbol | undefined): boolean {
  if (!outer || outer.end <= startIndex) return false;
  return outer.start !== startIndex || outer.end !== endIndex;
}

function signatureOf({ node, body }: RawSymbol, { text }: Source): string {
  const end = body?.startIndex ?? Math.min(node.endIndex, node.startIndex + MAX_SIGNATURE);
  return text
    .slice(node.startIndex, end)
    .replace(/\n\s*(?:#|\/\/).*/g, "")
    .replace(/\s+/g, " ")
    .replace(/\s*=?\s*$/, "")
    .trim()
    .slice(0, MAX_SIGNATURE);
}

function docAbove(row: number, { lines }: Source): string {
  let at = row - 1;
  while (at >= 0 && ATTRIBUTE.test(lines[at] ?? "")) at--;
  const doc: string[] = [];
  while (at >= 0 && COMMENT.test(lines[at] ?? ""))
    doc.unshift((lines[at--] ?? "").replace(COMMENT, "").replace(/\*\/\s*$/, ""));
  return firstParagraph(doc.join("\n"));
}

function firstParagraph(text: string): string {
  const [first = ""] = text.trim().split(/\n\s*\n/);
  return first.replace(/\s+/g, " ").trim().slice(0, MAX_DOC);
}

/** A function that stands directly in a class is its method. */
function kindOf(kind: SymbolKind, outer: SymbolKind | undefined): SymbolKind {
  return kind === "function" && (outer === "class" || outer === "interface" || outer === "enum")
    ? "method"
    : kind;
}

function isExported({ name }: RawSymbol, raw: Raw, language: Language, isTop: boolean): boolean {
  switch (language.exports) {
    case "marked":
      return (
        raw.exported.has(name.startIndex) ||
        (isTop && raw.exports.some(({ local }) => local.text === name.text))
      );
    case "unless-hidden":
      return !raw.hidden.has(name.startIndex);
    case "upper-case":
      return /^\p{Lu}/u.test(name.text);
    case "no-underscore":
      return !name.text.startsWith("_");
  }
}
