import type { Memory } from "./types.js";

/** A name of code, a file, or a product, wherever it stands. */
const NAMES =
  /`[^`]{2,}`|\b[a-z]{2,}(?:-[a-z]{2,})+\b|\b[a-z]\w*:\d+|[\w@-]+\/[\w./@-]+|\b[\w-]+\.[a-z]{1,5}\b|\b[a-z]+[A-Z]\w*|\b\w+_\w+|\b[A-Z]{2,}\w*|\b[A-Z][a-z]+[A-Z]\w*|\b[A-Za-z]+-?\d[\w.]*|\w+\(\)|"[^"]{2,}"|“[^”]{2,}”|「[^」]{2,}」|《[^》]{2,}》/;
/** A proper name within a sentence; at its start a capital says nothing. */
const PROPER = /(?<=[a-z,\d)] )[A-Z][a-z]{2,}/;
/** Latin words in Chinese text are names. */
const FOREIGN = /(?=.*\p{Script=Han})[A-Za-z][\w.-]+/u;
const DECIDES =
  /\b(decided?|chose|chosen|agreed|prefer|instead of|rather than|must|never|always|only|should|do not|don['’]t|may not|required?|forbidden|not allowed|no longer)\b|决定|选定|约定|采用|改用|统一|必须|不能|不得|不要|不可|禁止|严禁|只能|一律|应当|应该|不再/i;
/** Less than this says nothing that could be done otherwise. */
const LEAST_WORDS = 4;

/** True when a memory names a file, a symbol or a decision: what names nothing helps nobody later. */
export function namesSomething({ text, title, files, symbols }: Memory): boolean {
  if (files.length > 0 || symbols.length > 0) return true;
  const said = `${title}\n${text}`;
  if (NAMES.test(said) || PROPER.test(said) || FOREIGN.test(said)) return true;
  return DECIDES.test(said) && lengthOf(text) >= LEAST_WORDS;
}

/** What to write instead of a memory that names nothing. */
export const NAMING_EXAMPLE =
  "name a file, a symbol or a decision, such as: `rateLimit` in src/limit.ts allows 100 requests a minute, because the gateway drops more";

function lengthOf(text: string): number {
  return Math.max(
    text.split(/\s+/).filter(Boolean).length,
    [...text.matchAll(/\p{Script=Han}/gu)].length / 2,
  );
}
