import type { SymbolFact } from "../codemap/index.js";
import { weighTokens } from "../shared/index.js";

/** A run of lines that is packed as a whole. Chunks lie side by side and cover their file. */
export interface Chunk {
  /** From 1, inclusive. */
  from: number;
  to: number;
  tokens: number;
  /** Index of the innermost definition that holds all of it, or -1. */
  symbol: number;
}

/** How large chunks become. */
export interface ChunkSizes {
  /** A definition up to this is one chunk; a longer one is cut at its inner definitions, then at blank lines. */
  most: number;
  /** Neighbours in the same definition that are together at most this large become one. */
  join: number;
}

/** Measured: smaller ones lose what stands together, larger ones fill the budget with what was not meant. */
export const CHUNK_SIZES: ChunkSizes = { most: 200, join: 60 };

/** What is this small between two definitions, a blank line or a bracket, says nothing alone. */
const SCRAP_TOKENS = 6;
const LINE_END = weighTokens("\n");
const LEADS = /^\s*(\/\/|\/?\*|#|@|"""|'''|--|\[)/;

interface Span {
  from: number;
  to: number;
  symbol: number;
}

/** Cuts a file along its definitions. */
export function cutChunks(
  lines: readonly string[],
  symbols: readonly SymbolFact[],
  sizes: ChunkSizes = CHUNK_SIZES,
): Chunk[] {
  const cost = costs(lines);
  const tokens = (from: number, to: number) => Math.ceil((cost[to] ?? 0) - (cost[from - 1] ?? 0));
  const spans = spansOf(lines, symbols);
  const out: Chunk[] = [];
  const pushPlain = (from: number, to: number, symbol: number) => {
    for (let start = from; start <= to;) {
      const end = endOfPlain(lines, tokens, { start, to, most: sizes.most });
      out.push({ from: start, to: end, tokens: tokens(start, end), symbol });
      start = end + 1;
    }
  };
  const cut = (outer: Span, inner: readonly Span[]) => {
    if (outer.symbol >= 0 && tokens(outer.from, outer.to) <= sizes.most) {
      out.push({
        from: outer.from,
        to: outer.to,
        tokens: tokens(outer.from, outer.to),
        symbol: outer.symbol,
      });
      return;
    }
    let next = outer.from;
    for (let index = 0; index < inner.length;) {
      const span = inner[index];
      let end = index + 1;
      if (!span || span.from < next || span.to > outer.to) {
        index = end;
        continue;
      }
      while ((inner[end]?.from ?? Infinity) <= span.to) end++;
      pushPlain(next, span.from - 1, outer.symbol);
      cut(span, inner.slice(index + 1, end));
      next = span.to + 1;
      index = end;
    }
    pushPlain(next, outer.to, outer.symbol);
  };
  cut({ from: 1, to: lines.length, symbol: -1 }, spans);
  return joinSmall(out, symbols, sizes.join);
}

function costs(lines: readonly string[]): Float64Array {
  const sums = new Float64Array(lines.length + 1);
  for (const [index, line] of lines.entries()) {
    sums[index + 1] = (sums[index] ?? 0) + weighTokens(line) + LINE_END;
  }
  return sums;
}

/** Definitions with the comments and decorators above them, outer before inner. */
function spansOf(lines: readonly string[], symbols: readonly SymbolFact[]): Span[] {
  const spans = symbols.flatMap(({ from, to, kind }, symbol) => {
    const isWorth = to > from || kind === "function" || kind === "method";
    return isWorth ? [{ from: startWithLeads(lines, from), to: Math.min(to, lines.length), symbol }] : [];
  });
  return spans.sort((a, b) => a.from - b.from || b.to - a.to || a.symbol - b.symbol);
}

function startWithLeads(lines: readonly string[], from: number): number {
  let start = from;
  while (start > 1 && LEADS.test(lines[start - 2] ?? "")) start--;
  return start;
}

/** The last line that fits, or the last blank one before it. */
function endOfPlain(
  lines: readonly string[],
  tokens: (from: number, to: number) => number,
  { start, to, most }: { start: number; to: number; most: number },
): number {
  let end = start;
  while (end < to && tokens(start, end + 1) <= most) end++;
  if (end === to) return end;
  for (let line = end; line > start + 4; line--) if (lines[line - 1]?.trim() === "") return line;
  return end;
}

/** Joins what is too small to be read alone: constants in a row, one-line accessors, the blank between definitions. */
function joinSmall(chunks: readonly Chunk[], symbols: readonly SymbolFact[], most: number): Chunk[] {
  const out: Chunk[] = [];
  for (const chunk of chunks) {
    const last = out.at(-1);
    const symbol = last ? commonSymbol(last.symbol, chunk.symbol, symbols) : -1;
    const isSibling =
      last !== undefined &&
      (parentOf(last.symbol, symbols) === parentOf(chunk.symbol, symbols) ||
        symbol === last.symbol ||
        symbol === chunk.symbol);
    const isScrap = chunk.tokens <= SCRAP_TOKENS;
    if (last && (isScrap || (isSibling && last.tokens + chunk.tokens <= most))) {
      out[out.length - 1] = { from: last.from, to: chunk.to, tokens: last.tokens + chunk.tokens, symbol };
    } else out.push(chunk);
  }
  return out;
}

function parentOf(symbol: number, symbols: readonly SymbolFact[]): number {
  return symbols[symbol]?.parent ?? -1;
}

function commonSymbol(a: number, b: number, symbols: readonly SymbolFact[]): number {
  const outer = new Set<number>();
  for (let at = a; at >= 0; at = parentOf(at, symbols)) outer.add(at);
  let at = b;
  while (at >= 0 && !outer.has(at)) at = parentOf(at, symbols);
  return at;
}
