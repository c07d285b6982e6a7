import { visibleText } from "../shared/index.js";

/** What somebody says in a comment themselves: without the lines that quote others, and without what nobody sees. */
export function ownWords(text: string): string {
  return visibleText(text)
    .split("\n")
    .filter((line) => !/^\s*>/.test(line))
    .join("\n");
}
