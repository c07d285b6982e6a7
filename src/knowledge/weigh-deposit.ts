import type { Judgement, Memory } from "../memory/index.js";
import { formatDeposit } from "./deposit.js";
import { readMemories } from "./memories.js";
import type { Deposit, Tree } from "./types.js";

/** Two memories that cannot both be right, with the words of each. */
export interface Contradiction {
  id: string;
  said: string;
  new: string;
}

/** What becomes of a lesson beside what is remembered. */
export type WeighedDeposit =
  /** It is kept; with what it contradicts, if it does. */
  | { kind: "new"; deposit: Deposit; against: Contradiction | null }
  /** The same is known: that it was said again is an event of that memory. */
  | { kind: "known"; id: string; text: string }
  | { kind: "nothing"; reason: string };

/** Compares a deposit with what is remembered of a tree: a contradiction is kept beside what it contradicts. */
export async function weighDeposit(
  deposit: Deposit,
  tree: Tree,
  judge: (memory: Memory) => Promise<Judgement>,
): Promise<WeighedDeposit> {
  const [memory] = readMemories(
    new Map([[`context/deposits/${deposit.id}.md`, formatDeposit(deposit)]]),
  ).memories;
  if (!memory) return { kind: "nothing", reason: "it holds nothing that can be remembered" };
  const judged = await judge(memory);
  if (judged.action === "refused") return { kind: "nothing", reason: judged.reason };
  if (judged.action === "touched") return { kind: "known", id: judged.target, text: memory.text };
  if (judged.action === "created") return { kind: "new", deposit, against: null };
  const other = readMemories(tree).memories.find(({ id }) => id === judged.target);
  const { note } = deposit;
  const related = [...new Set([...note.related, judged.target])];
  return {
    kind: "new",
    deposit: { ...deposit, note: { ...note, related } },
    against: { id: judged.target, said: other?.text ?? "", new: memory.text },
  };
}
