const FENCE = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}|~{3,})/;
const FENCE_END = /^\s*(`{3,}|~{3,})\s*$/;
/** Code by its indentation: behind an empty line, and not below an item of a list. */
const INDENTED = /^(?: {4}|\t)/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;
/** Elements of HTML that show or cite. */
const ELEMENTS: readonly string[] = ["pre", "code", "samp", "blockquote"];
const QUOTE = /^\s*(?:[-*+]\s+)?>/;
// From `://` on, so that the search stays linear; only ASCII, because Chinese text follows an address without a space.
const ADDRESS = /:\/\/[!-;=?-~]*/g;

/** What a text says rather than shows or cites: code, quotes, hidden comments and addresses are blanked out; every position stays. */
export function spokenPart(body: string): string {
  const lines = blankHidden(blankBlocks(body.split("\n")).join("\n"));
  const paragraphs = lines.split(/(\n\s*\n)/);
  const spoken = paragraphs.map(blankInlineCode).join("");
  return ELEMENTS.reduce(blankElements, spoken).replaceAll(ADDRESS, blank);
}

/** Blanks what stands in elements of one kind; one that is never closed is a word that somebody used. */
function blankElements(text: string, name: string): string {
  const open = new RegExp(`<${name}[\\s>]`, "gi");
  const close = new RegExp(`</${name}>`, "gi");
  let out = "";
  let at = 0;
  for (let start = open.exec(text); start; start = open.exec(text)) {
    close.lastIndex = start.index;
    if (!close.exec(text)) break;
    out += text.slice(at, start.index) + blank(text.slice(start.index, close.lastIndex));
    at = close.lastIndex;
    open.lastIndex = at;
  }
  return out + text.slice(at);
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}

function blankBlocks(lines: readonly string[]): string[] {
  let fence: string | null = null;
  let isInList = false;
  let isCode = true;
  return lines.map((line) => {
    if (fence !== null) {
      const end: string | undefined = FENCE_END.exec(line)?.[1];
      if (end?.startsWith(fence)) fence = null;
      return blank(line);
    }
    const isEmpty = line.trim() === "";
    const isIndented = INDENTED.test(line);
    if (!isEmpty && !isIndented) isInList = ITEM.test(line) || (isInList && /^\s/.test(line));
    isCode = isEmpty || (isCode && isIndented && !isInList);
    if (isCode && !isEmpty) return blank(line);
    if (QUOTE.test(line)) return blank(line);
    const start = FENCE.exec(line)?.[1] ?? null;
    // A line such as ```` ```code``` ```` is inline code, not the start of a block.
    if (
      start === null ||
      (start.startsWith("`") && line.slice(line.indexOf(start) + start.length).includes("`"))
    ) {
      return line;
    }
    fence = start;
    return blank(line);
  });
}

function blankHidden(text: string): string {
  let out = "";
  for (let at = 0; ;) {
    const start = text.indexOf("<!--", at);
    if (start < 0) return out + text.slice(at);
    const close = text.indexOf("-->", start + 4);
    const end = close < 0 ? text.length : close + 3;
    out += text.slice(at, start) + blank(text.slice(start, end));
    at = end;
  }
}

/** Blanks `code` between runs of as many backticks, in one pass whatever the text is. */
function blankInlineCode(paragraph: string): string {
  const runs = [...paragraph.matchAll(/`+/g)].map((run) => ({ from: run.index, length: run[0].length }));
  const lastOfLength = new Map(runs.map((run, index) => [run.length, index]));
  let out = "";
  let at = 0;
  for (let open = 0; open < runs.length; open++) {
    const opener = runs[open];
    if (!opener || (lastOfLength.get(opener.length) ?? open) <= open) continue;
    let close = open + 1;
    while (runs[close]?.length !== opener.length) close++;
    const closer = runs[close] ?? opener;
    const end = closer.from + closer.length;
    out += paragraph.slice(at, opener.from) + blank(paragraph.slice(opener.from, end));
    at = end;
    open = close;
  }
  return out + paragraph.slice(at);
}
