/** A file's text with what is asked of it again and again. */
export interface Source {
  text: string;
  lines: readonly string[];
  /** The identifier that starts at an index; empty when none does. */
  wordAt(index: number): string;
}

const WORD = /[\p{L}\p{N}_$]+/uy;

/** Prepares a text. */
export function createSource(text: string): Source {
  return {
    text,
    lines: text.split("\n"),
    wordAt: (index) => {
      WORD.lastIndex = index;
      return WORD.exec(text)?.[0] ?? "";
    },
  };
}
