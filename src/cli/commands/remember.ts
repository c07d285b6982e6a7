import {
  depositsOf,
  formatDeposit,
  type DepositInput,
  type Recorded,
  type Tree,
} from "../../knowledge/index.js";
import { EXIT } from "../output.js";
import type { CommandEnd } from "../program.js";

/** Records what a person said as deposits: gives the files to write and the answer. */
export function rememberCommand(
  tree: Tree,
  input: DepositInput,
): { end: CommandEnd; writes: Map<string, string> } {
  const made = depositsOf(input, { tree, lessons: null, injected: [] });
  const writes = new Map(made.deposits.map((deposit) => [deposit.note.file, formatDeposit(deposit)]));
  const [first] = made.recorded;
  const json = {
    note: first?.note ?? made.skipped[0]?.known ?? null,
    rules: made.recorded.flatMap(({ rules }) => rules.map(({ id }) => id)),
    action: first ? "created" : "known",
    recorded: made.recorded,
    skipped: made.skipped,
  };
  return { end: { json, text: told(made), status: EXIT.done }, writes };
}

function told({ recorded, skipped }: Recorded): string {
  const lines = recorded.flatMap(({ note, title, path, target, rules, review }) => [
    `  ${note}  ${title}`,
    ...rules.map(({ id, kind, level, title: about }) => `  ${id}  ${kind}, ${level}: ${about}`),
    ...review.map((reason) => `  needs review: ${reason}`),
    `  in ${path}, later in ${target}; undo: delete ${path}`,
  ]);
  const left = skipped.map(
    ({ title, reason, known }) => `  not recorded: ${title}: ${reason}${known === null ? "" : ` (${known})`}`,
  );
  const next = recorded.length === 0 ? [] : ["  Commit it: what is merged is filed, and shown to every run."];
  return [...lines, ...left, ...next].join("\n");
}
