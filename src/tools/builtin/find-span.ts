/** Where an old text stands in a file, in characters of the file as given. */
export interface Span {
  start: number;
  end: number;
}

/** Spans of the first rung of the ladder that finds any. `how` is empty for an exact match. */
export interface Found {
  how: string;
  spans: Span[];
}

/** Enough to tell a model where the places are; the count of more is of no use to it. */
const MAX_SPANS = 3;

/** A line end is replaced as a whole: a span never starts between CR and LF. */
function startOf(text: string, at: number): number {
  return text[at] === "\n" && text[at - 1] === "\r" ? at - 1 : at;
}

/** Overlapping places count as several: `aa` stands twice in `aaa`. */
function exact(text: string, wanted: string): Span[] {
  const spans: Span[] = [];
  let at = text.indexOf(wanted);
  while (at >= 0 && spans.length < MAX_SPANS) {
    spans.push({ start: startOf(text, at), end: at + wanted.length });
    at = text.indexOf(wanted, at + 1);
  }
  return spans;
}

/** The text with LF only, and where each of its characters came from. */
function withoutCr(text: string): { text: string; origin: number[] } {
  const origin: number[] = [];
  const chars: string[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\r" && text[at + 1] === "\n") continue;
    origin.push(at);
    chars.push(text.charAt(at));
  }
  return { text: chars.join(""), origin };
}

function ignoringLineEnds(text: string, wanted: string): Span[] {
  const file = withoutCr(text);
  return exact(file.text, wanted.replaceAll("\r\n", "\n")).map(({ start, end }) => ({
    start: startOf(text, file.origin[start] ?? 0),
    end: (file.origin[end - 1] ?? 0) + 1,
  }));
}

/** Spaces and tabs only: the text may be bytes, where other white space is half of a letter. */
function withoutTrailingSpace(line: string): string {
  let end = line.length;
  while (end > 0 && " \t\r".includes(line.charAt(end - 1))) end--;
  return line.slice(0, end);
}

interface Line extends Span {
  /** Without trailing white space. */
  trimmed: string;
  /** Start of the next line. */
  next: number;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf("\n", start);
    const next = newline < 0 ? text.length + 1 : newline + 1;
    const body = text.slice(start, next - 1);
    const end = start + body.replace(/\r$/, "").length;
    lines.push({ start, end, next, trimmed: withoutTrailingSpace(body) });
    start = next;
  }
  return lines;
}

/** Whole lines only: with white space ignored, part of a line could mean too many places. */
function ignoringTrailingSpace(text: string, wanted: string): Span[] {
  const endsWithLine = wanted.endsWith("\n");
  const wantedLines = linesOf(endsWithLine ? wanted.slice(0, -1) : wanted).map(({ trimmed }) => trimmed);
  if (wantedLines.every((line) => line === "")) return [];
  const lines = linesOf(text);
  const spans: Span[] = [];
  for (let at = 0; at + wantedLines.length <= lines.length && spans.length < MAX_SPANS; at++) {
    if (!wantedLines.every((line, offset) => lines[at + offset]?.trimmed === line)) continue;
    const first = lines[at];
    const last = lines[at + wantedLines.length - 1];
    if (!first || !last || (endsWithLine && last.next > text.length)) continue;
    spans.push({ start: first.start, end: endsWithLine ? last.next : last.end });
  }
  return spans;
}

/**
 * Finds an old text in a file: exactly; else with other line ends; else with other trailing white space. Nothing looser: a
 * guess that is nearly right changes the wrong code.
 */
export function findSpans(text: string, wanted: string): Found {
  const rungs: [string, (text: string, wanted: string) => Span[]][] = [
    ["", exact],
    ["line ends", ignoringLineEnds],
    ["trailing white space", ignoringTrailingSpace],
  ];
  for (const [how, find] of rungs) {
    const spans = find(text, wanted);
    if (spans.length > 0) return { how, spans };
  }
  return { how: "", spans: [] };
}
