import { z } from "zod";
import type { Context, Pack, PackItem } from "../../context/index.js";
import { readJsonLines } from "../json-lines.js";
import { EXIT } from "../output.js";
import type { CommandEnd } from "../program.js";
import { readWish } from "../typed.js";

/** What a pack is asked for with; one line of a batch has the same keys. */
const Wish = z.strictObject({
  id: z.string().optional().describe("Given back with the answer."),
  text: z.string().min(1).describe("The task."),
  tokens: z.int().min(200).max(1_000_000).optional().describe("Most tokens of the pack."),
  files: z.array(z.string()).default([]).describe("Paths that come first."),
  symbols: z.array(z.string()).default([]).describe("Symbol keys that come first."),
});

/** Shows what a model would read for a task, and why. */
export async function contextCommand(context: Context, wish: unknown): Promise<CommandEnd> {
  const pack = await packFor(context, readWish(Wish, wish, "the command"));
  return { json: shown(pack), text: table(pack), status: EXIT.done };
}

/** Answers one task per line, as JSON lines. Throws `INPUT_INVALID` with the line that cannot be read. */
export async function contextBatch(context: Context, text: string, file: string): Promise<CommandEnd> {
  const answers: object[] = [];
  for (const { value: wish, number } of readJsonLines(text, file, Wish)) {
    answers.push({ id: wish.id ?? String(number), ...shown(await packFor(context, wish)) });
  }
  return {
    json: answers,
    text: answers.map((answer) => JSON.stringify(answer)).join("\n"),
    status: EXIT.done,
  };
}

function packFor(context: Context, { text, tokens, files, symbols }: z.infer<typeof Wish>): Promise<Pack> {
  return context.pack(text, { files, symbols, ...(tokens === undefined ? {} : { maxTokens: tokens }) });
}

function shown({ tokens, hash, items, warnings }: Pack): object {
  const brief = ({ path, symbol, lines, tier, score, why, tokens: own, partial }: PackItem) => ({
    path,
    symbol,
    lines,
    tier,
    score,
    why,
    tokens: own,
    ...(partial === undefined ? {} : { partial }),
  });
  return { tokens, hash, items: items.map(brief), warnings };
}

const PLACE_WIDTH = 56;

function table({ tokens, hash, items, warnings }: Pack): string {
  const rows = items.map((item) => {
    const { tier, score, why, partial } = item;
    const warning = partial === undefined ? "" : `  ⚠ read in part: ${partial}`;
    return `  ${placeOf(item).padEnd(PLACE_WIDTH)} ${tier.padEnd(11)} ${score.toFixed(3)}  ${why}${warning}`;
  });
  const sum = `  ${items.length} items, ${tokens} tokens, ${hash.slice(0, 12)}`;
  return [...warnings.map((warning) => `  ⚠ ${warning}`), ...rows, sum].join("\n");
}

function placeOf({ path, lines }: PackItem): string {
  return lines ? `${path}:${lines[0]}-${lines[1]}` : path;
}
