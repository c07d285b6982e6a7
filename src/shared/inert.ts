/** What stays as it is: code, addresses that become links by themselves, and an escaped character. */
const KEPT =
  /(?<escape>\\[\s\S])|(?<ticks>`{1,8})(?!`)[\s\S]*?(?<!`)\k<ticks>(?!`)|(?<!\w)https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+[^\s<>|`]*/gi;
/** GitHub links and notifies even where something but a letter stands before the sign. */
const NAMED = /(?<!\w)@[a-z0-9][\w-]*(?:\/[\w-]+)?/gi;
const CLOSING = /\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(:?\s+)((?:[\w.-]+\/[\w.-]+)?#|gh-)(\d+)/gi;
const CLOSING_ADDRESS = /\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(:?\s+)(https?:\/\/\S+)/gi;

/**
 * Words of others, on one line, for a text of ours on GitHub: they notify nobody, close no issue, load no image, and their HTML
 * is text. Markdown of theirs stays Markdown.
 */
export function inertLine(text: string): string {
  const line = oneLine(text).replace(CLOSING_ADDRESS, "$1$2`$3`");
  let [inert, prose, at] = ["", "", 0];
  for (const match of line.matchAll(KEPT)) {
    const [kept] = match;
    prose += line.slice(at, match.index);
    at = match.index + kept.length;
    // An escaped sign means the sign itself, which is dealt with as one.
    if (match.groups?.["escape"] && /[@<&!]/.test(kept)) prose += kept.slice(1);
    else {
      inert += inertProse(prose) + kept;
      prose = "";
    }
  }
  return unmarked(inert + inertProse(prose + line.slice(at))).replace(/^(?=~~~)/, "\\");
}

/** A code block of others that begins at the margin: within a list or a quote, what follows may end it unseen. */
const FENCE = /^(?<mark>`{3,}(?=[^`]*$)|~{3,})/;

/** The same for words on several lines: their paragraphs, lists and code blocks stay. */
export function inertText(text: string): string {
  let open: string | null = null;
  const lines = text.split(/\r\n?|\n/).map((line) => {
    if (open !== null) {
      const isEnd = line.replace(/^ {0,3}/, "").startsWith(open) && !/[^`~\s]/.test(line);
      if (isEnd) open = null;
      return unmarked(line);
    }
    open = FENCE.exec(line)?.groups?.["mark"] ?? null;
    return open === null ? `${/^ */.exec(line)?.[0] ?? ""}${inertLine(line)}` : line;
  });
  return open === null ? lines.join("\n") : [...lines, open].join("\n");
}

/** The same for a subject line of git, where no Markdown helps: a pushed commit notifies and closes as well. */
export function inertSubject(text: string): string {
  return oneLine(text)
    .replace(NAMED, (name) => name.slice(1))
    .replace(CLOSING_ADDRESS, "$1$2")
    .replace(CLOSING, "$1$2$4");
}

/** A comment of ours is found again by its marker: code that quotes one must not pass for it. */
function unmarked(text: string): string {
  return text.replace(/<!--(?=\s*accrue:)/gi, "<!-");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function inertProse(prose: string): string {
  return prose
    .replaceAll("`", "\\`")
    .replace(/&(?=#|\w+;)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll("![", "\\![")
    .replace(NAMED, "`$&`")
    .replace(CLOSING, "$1$2`$3$4`");
}
