const FENCE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/;

/**
 * What a person sees of a text on GitHub: HTML comments and invisible characters are dropped outside of code, since text that
 * people cannot see is not theirs to answer for.
 */
export function visibleText(text: string): string {
  return text
    .split(FENCE)
    .map((part, index) => (index % 2 === 1 ? part : visibleProse(part)))
    .join("");
}

function visibleProse(prose: string): string {
  let before = "";
  let after = prose;
  while (before !== after) {
    before = after;
    after = before.replace(/<!--[\s\S]*?(?:-->|$)/g, "");
  }
  return Array.from(after, (char) => (isHidden(char.codePointAt(0) ?? 0) ? "" : char)).join("");
}

/**
 * Code points that no reader sees. Zero-width joiners and variation selectors are not among them: emoji families, Persian and
 * Indic scripts need them.
 */
const HIDDEN: readonly (readonly [number, number])[] = [
  [0xe0000, 0xe007f],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x2064],
  [0x2066, 0x2069],
  [0x061c, 0x061c],
  [0x180e, 0x180e],
  [0x3164, 0x3164],
  [0x034f, 0x034f],
  [0xfeff, 0xfeff],
];

function isHidden(code: number): boolean {
  return HIDDEN.some(([from, to]) => code >= from && code <= to);
}

/**
 * A text of ours in which no name of ours is spoken to: what people wrote may hold one, and a copy of it, by them or by another
 * bot, would summon us.
 */
export function quiet(text: string, mention: string): string {
  const name = mention.replaceAll(/[^\w\s@]/g, String.raw`\$&`);
  const live = new RegExp(String.raw`(?<![\w@/-])${name}(?![\w-])`, "gi");
  return text
    .split(FENCE)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(live, "`$&`")))
    .join("");
}
