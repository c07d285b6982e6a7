import { z } from "zod";
import {
  checkKnowledge,
  checkPointers,
  fixKnowledge,
  match,
  type Answer,
  type Lookups,
  type Tree,
} from "../../knowledge/index.js";
import { randomBase32 } from "../../shared/index.js";
import { readJsonLines } from "../json-lines.js";
import { EXIT } from "../output.js";
import type { CommandEnd } from "../program.js";
import { readWish } from "../typed.js";

/** What matching is asked; one line of a batch has the same keys. */
const Wish = z.strictObject({
  id: z.string().optional().describe("Given back with the answer."),
  text: z.string().default("").describe("The task."),
  paths: z.array(z.string()).default([]).describe("Files that will change."),
  labels: z.array(z.string()).default([]).describe("Labels of the issue."),
  symbols: z.array(z.string()).default([]).describe("Definitions at hand."),
  phase: z.string().nullable().default(null).describe("The phase, which holds rules of other phases back."),
});

/** Shows which rules and notes fit a task. */
export function rulesMatchCommand(tree: Tree, lookups: Lookups, wish: unknown): CommandEnd {
  const { id: _, ...query } = readWish(Wish, wish, "the command");
  const answer = match(tree, query, lookups);
  return { json: answer, text: table(answer), status: EXIT.done };
}

/** Answers one question per line, as JSON lines. Throws `INPUT_INVALID` with the line that cannot be read. */
export function rulesMatchBatch(
  tree: Tree,
  lookups: Lookups,
  batch: { text: string; file: string },
): CommandEnd {
  const answers = readJsonLines(batch.text, batch.file, Wish).map(({ value, number }) => {
    const { id = String(number), ...query } = value;
    return { id, ...match(tree, query, lookups) };
  });
  const text = answers.map((answer) => JSON.stringify(answer)).join("\n");
  return { json: answers, text, status: EXIT.done };
}

/** The checkout that knowledge is held against. */
export interface CheckedPlace {
  /** Beginnings of paths besides `context/` that the knowledge holds all of. */
  roots: readonly string[];
  /** All files of the checkout. */
  paths: ReadonlySet<string>;
}

/** Lists what is wrong in rules, notes, deposits and glossary, and what in documents points to nothing any more. */
export function rulesCheckCommand(tree: Tree, place: CheckedPlace): CommandEnd {
  return checked(tree, place, []);
}

/** Puts right what has only one meaning, and lists what is left for a person. Gives the writes too. */
export function rulesFixCommand(
  tree: Tree,
  place: CheckedPlace,
): { end: CommandEnd; writes: Map<string, string> } {
  const { writes, fixes } = fixKnowledge(tree, {
    newRuleId: () => `R-${randomBase32(6)}`,
    newNoteId: () => `EXP-${randomBase32(8)}`,
  });
  return { end: checked(new Map([...tree, ...writes]), place, fixes), writes };
}

type Found = { file: string; line: number; code: string; message: string };

function checked(tree: Tree, { roots, paths }: CheckedPlace, fixed: readonly Found[]): CommandEnd {
  const problems = [...checkKnowledge(tree, roots), ...checkPointers(tree, paths)];
  const line = ({ file, line: number, code, message }: Found) => `${file}:${number}  ${code}  ${message}`;
  const sum = problems.length === 0 ? "The knowledge in context/ is right." : "";
  const text = [...fixed.map((fix) => `fixed  ${line(fix)}`), ...problems.map(line), sum]
    .filter(Boolean)
    .join("\n");
  return { json: { problems, fixed }, text, status: problems.length === 0 ? EXIT.done : EXIT.failed };
}

function table({ context, risk, service, pattern }: Answer): string {
  const row = (
    item: { id: string; why: string; verified: boolean | null; pending: boolean },
    said: string,
  ) => {
    const marks = [item.pending ? "pending" : "", item.verified === false ? "unverified" : ""].filter(
      Boolean,
    );
    return `  ${item.id.padEnd(13)} ${said}  (${[item.why, ...marks].join("; ")})`;
  };
  const rows = [
    ...risk.alerts.map((item) => row(item, `${item.level}: ${item.message}`)),
    ...service.suggestions.map((item) => row(item, `service: ${item.service}`)),
    ...pattern.files.map((item) => row(item, `pattern: ${item.path}`)),
    ...context.files.map((item) => row(item, `context: ${item.path}`)),
  ];
  return rows.length === 0 ? "Nothing fits." : rows.join("\n");
}
