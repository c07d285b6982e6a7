// Remarks of people as deposits, for tests.
import {
  depositsOf,
  formatDeposit,
  type DepositInput,
  type DepositsBasis,
  type Tree,
} from "../../src/knowledge/index.js";

/** What is said of every remark here. */
export const INPUT: DepositInput = {
  text: "",
  by: "lee",
  source: "https://github.com/acme/shop/issues/12#issuecomment-1",
  run: "01JB8ZK3QH6X9M4T7V2C5D8E0G",
  at: "2026-11-29T10:04:05.000Z",
  language: "en",
  path: null,
  symbols: [],
  requirement: "REQ-12",
  newId: () => "01JB8ZK3QH6X9M4T7V2C5D8E0G",
  newNoteId: () => "EXP-7K3M2P9Q",
  newRuleId: () => "R-7K3M2P",
};
/** What the fold is told in these tests. */
export const FOLD = { completed: [], now: "2026-12-02T00:00:00.000Z", language: "en" as const };

/** Deposits of a remark, said by somebody who may write. */
export function told(text: string, basis: Partial<DepositsBasis> = {}, input: Partial<DepositInput> = {}) {
  return depositsOf({ ...INPUT, ...input, text }, { tree: new Map(), lessons: null, injected: [], ...basis });
}
/** A tree with the files of the deposits. */
export function withDeposits(tree: Tree, made: ReturnType<typeof told>): Map<string, string> {
  return new Map([
    ...tree,
    ...made.deposits.map((deposit) => [deposit.note.file, formatDeposit(deposit)] as const),
  ]);
}
/** A tree after these writes. */
export function applied(tree: Tree, writes: ReadonlyMap<string, string | null>): Map<string, string> {
  const after = new Map(tree);
  for (const [path, text] of writes) {
    if (text === null) after.delete(path);
    else after.set(path, text);
  }
  return after;
}
