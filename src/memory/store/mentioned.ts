const SYMBOL =
  /`([A-Za-z_$][\w$.#/@-]*)(?:\(\))?`|(?<![\w$])([a-z]+[A-Z][\w$]*|[A-Z][a-z0-9]+[A-Z][\w$]*|[A-Za-z]+_\w+)(?![\w$])|(?<![\w$])([A-Za-z_$][\w$]*)\(\)/g;
const FILE = /(?<![\w@./-])(?:[\w@.-]+\/)+[\w@.-]*\w|(?<![\w@./-])[\w-]+\.[a-z]{1,5}(?![\w.])/g;

/** What a question names besides words: code and files, which can be looked up exactly. */
export function mentioned(text: string): { symbols: string[]; files: string[] } {
  const symbols = [...text.matchAll(SYMBOL)].map(([, code, name, call]) => code ?? name ?? call ?? "");
  const files = [...text.matchAll(FILE)].map(([file]) => file.replace(/^\.\//, ""));
  return { symbols: [...new Set(symbols)], files: [...new Set(files)] };
}
