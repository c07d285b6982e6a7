/** A file's text with what is asked of it again and again. */
export interface Source {
  text: string;
  lines: readonly string[];
  /** The identifier that starts at an index; empty when none does. */
  wordAt(index: number): string;
}

const WORD = /[\p{L}\p{N}_$]+/uy;

/** Prepares a text; `words` says what a name looks like, as a sticky expression. */
export function createSource(text: string, words = WORD): Source {
  return {
    text,
    lines: text.split("\n"),
    wordAt: (index) => {
      words.lastIndex = index;
      return words.exec(text)?.[0] ?? "";
    },
  };
}
