/** Code keeps every byte; an escaped backtick begins none. */
const CODE =
  /\\[\s\S]|(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|(?<ticks>`{1,8})(?!`)[\s\S]*?(?<!`)\k<ticks>(?!`))/g;

const MAX_NESTING = 20;

/**
 * What a person sees of a text on GitHub: HTML comments and invisible characters are dropped outside of code, since text that
 * people cannot see is not theirs to answer for.
 */
export function visibleText(text: string): string {
  const normal = text.normalize("NFC");
  if (!normal.includes("<!--") && normal.search(HIDDEN) < 0) return normal;
  let visible = "";
  let prose = "";
  let at = 0;
  for (const match of normal.matchAll(CODE)) {
    const [whole, code] = match;
    prose += normal.slice(at, match.index) + (code === undefined ? whole : "");
    at = match.index + whole.length;
    if (code === undefined || isInComment(prose)) {
      prose += code ?? "";
      continue;
    }
    visible += visibleProse(prose) + code;
    prose = "";
  }
  return visible + visibleProse(prose + normal.slice(at));
}

/** Backticks inside a comment are no code: the comment goes on to its own end. */
function isInComment(prose: string): boolean {
  return prose.lastIndexOf("<!--") > prose.lastIndexOf("-->");
}

function visibleProse(prose: string): string {
  let after = prose;
  // What is left of a comment inside a comment may be a comment again. Deeper nesting than this is an attack: it all goes.
  for (let round = 0; after.includes("<!--"); round++) {
    const comment = round < MAX_NESTING ? /<!--[\s\S]*?(?:-->|$)/g : /<!--[\s\S]*/g;
    after = after.replace(comment, "");
  }
  return after.replace(HIDDEN, "");
}

/**
 * Code points that no reader sees. Zero-width joiners and variation selectors are not among them: emoji families, Persian and
 * Indic scripts need them.
 */
const HIDDEN =
  /[\u{34f}\u{ad}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{3164}\u{feff}\u{e0000}-\u{e007f}]/gu;
