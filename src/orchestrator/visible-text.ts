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
  // Zero-width joiners and variation selectors stay: emoji families, Persian and Indic scripts need them.
  return after.replace(/[\u{E0000}-\u{E007F}\u200b\u2060-\u2064\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c\u180e\u3164\u034f\ufeff]/gu, "");
}
