/** What a shell would do more with than split it into words: lists, pipes, redirections, substitutions, several lines. */
const OPERATOR = /[;&|<>()$`\n\r#!]/;

/**
 * Splits a simple command into its words as a shell would, or gives null when it is more than one simple command. Doubt counts
 * as null: what is not understood is not allowed.
 */
export function commandWords(command: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let at = 0; at < command.length; at++) {
    const char = command.charAt(at);
    if (quote === "'") {
      if (char === "'") quote = null;
      else word = (word ?? "") + char;
    } else if (char === "\\") {
      const next = command.charAt(++at);
      if (next === "" || next === "\n") return null;
      const isEscape = quote === null || '"\\$`'.includes(next);
      word = (word ?? "") + (isEscape ? next : `\\${next}`);
    } else if (quote === '"') {
      if (char === "$" || char === "`") return null;
      if (char === '"') quote = null;
      else word = (word ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (OPERATOR.test(char)) return null;
    else if (char === " " || char === "\t") {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + char;
  }
  if (quote !== null) return null;
  if (word !== null) words.push(word);
  return words;
}
