import { estimateTokens, visibleText } from "../shared/index.js";
import { isDepositPath } from "./deposit.js";
import { readFrontmatter } from "./frontmatter.js";
import { closeFence, readLines } from "./lines.js";
import { RULE_HEADING } from "./rule-blocks.js";
import type { Answer, Tree } from "./types.js";

/** Less of a file than this says nothing. */
const MIN_FILE_TOKENS = 60;
const CUT = "… (cut here: read the file for the rest)";

/**
 * What a model is shown of an answer: warnings first, then the files, the most relevant before the others.
 * Contract: at most `maxTokens`; `ids` are those that are really in the text.
 */
export function knowledgeText(
  tree: Tree,
  answer: Answer,
  maxTokens: number,
): { text: string; ids: string[]; tokens: number } {
  const parts: string[] = [];
  const ids = new Set<string>();
  const spent = () => estimateTokens(parts.join("\n\n"));
  const add = (id: string, part: string) => {
    parts.push(part);
    if (spent() <= maxTokens) ids.add(id);
    else parts.pop();
  };
  for (const alert of answer.risk.alerts) add(alert.id, `[${alert.id}] ${alert.level}: ${alert.message}`);
  for (const item of answer.service.suggestions) add(item.id, `[${item.id}] service: ${item.service}`);
  for (const item of interleaved(answer.pattern.files, answer.context.files)) {
    const content = promptContent(item.path, tree.get(item.path));
    if (content === "") continue;
    const mark = item.verified === false ? " (unverified: the code it cites has changed)" : "";
    const heading = `[${item.id}] ${item.path}${mark}\n`;
    const room = maxTokens - spent() - estimateTokens(heading) - 1;
    if (room >= Math.min(MIN_FILE_TOKENS, estimateTokens(content)))
      add(item.id, heading + clipTokens(content, room));
  }
  return { text: parts.join("\n\n"), ids: [...ids], tokens: parts.length === 0 ? 0 : spent() };
}

/** The file as a person sees it, without its head; of a deposit only the note, its rules are in the answer already. */
export function promptContent(path: string, text: string | undefined): string {
  if (text === undefined) return "";
  const { body } = readFrontmatter(path, text);
  if (!isDepositPath(path)) return visibleText(body).trim();
  const { lines } = readLines(path, body);
  const end = lines.findIndex((line) => !line.isCode && RULE_HEADING.test(line.text));
  const note = end < 0 ? lines : lines.slice(0, end);
  return visibleText(note.map((line) => line.text).join("\n")).trim();
}

/** Both lists are ranked already; neither bucket starves the other. */
function interleaved<T>(first: readonly T[], second: readonly T[]): T[] {
  const length = Math.max(first.length, second.length);
  return Array.from({ length }, (_, index) => [first[index], second[index]])
    .flat()
    .filter((item) => item !== undefined);
}

/** A text cut at the end of a line, so that it takes at most so many tokens, the notice included. */
export function clipTokens(text: string, max: number): string {
  if (estimateTokens(text) <= max) return text;
  const room = max - estimateTokens(`\n\`\`\`\n${CUT}`);
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (estimateTokens(text.slice(0, middle)) <= room) fits = middle;
    else tooLong = middle;
  }
  const lineEnd = text.lastIndexOf("\n", fits);
  const end = lineEnd > fits / 2 ? lineEnd : fits;
  return `${closeFence(
    text
      .slice(0, end)
      .replace(/[\ud800-\udbff]$/, "")
      .trimEnd(),
  )}\n${CUT}`;
}
