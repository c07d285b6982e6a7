import {
  type Deposit,
  type Note,
  type Tree,
  type TreeMemory,
  formatDeposit,
  learnable,
  readMemories,
} from "../knowledge/index.js";

/** What becomes of a lesson beside what is known already. */
export type WeighedLesson =
  /** It goes into a deposit; with what it contradicts, if it does. */
  | { kind: "new"; deposit: Deposit; against: { id: string; said: string; new: string } | null }
  /** The same is known: that it was learnt again is an event of that memory. */
  | { kind: "known"; id: string; text: string }
  | { kind: "nothing"; reason: string };

/**
 * Takes out of a lesson what the knowledge says already, because its agent may have been shown it, and compares the rest with
 * what is remembered: so that a false note does not multiply by being repeated, and a contradiction is kept beside what it
 * contradicts.
 */
export async function weighLesson(
  deposit: Deposit,
  known: { tree: Tree; memory: TreeMemory },
  signal: AbortSignal,
): Promise<WeighedLesson> {
  const injected = [...known.tree].flatMap(([path, text]) => (path.startsWith("context/") ? [text] : []));
  const own = (text: string) => learnable(text, { trust: "bot", injected }).text;
  const { note } = deposit;
  const solution = own(note.solution);
  if (solution === "") return { kind: "nothing", reason: "it says only what is known already" };
  const stripped: Note = {
    ...note,
    problem: own(note.problem) || note.title,
    solution,
    verification: own(note.verification),
  };
  const rest = { ...deposit, note: stripped };
  const [memory] = readMemories(
    new Map([[`context/deposits/${deposit.id}.md`, formatDeposit(rest)]]),
  ).memories;
  if (!memory) return { kind: "nothing", reason: "it holds nothing that can be remembered" };
  const judged = await known.memory.judge(known.tree, memory, signal);
  if (judged.action === "refused") return { kind: "nothing", reason: judged.reason };
  if (judged.action === "touched") return { kind: "known", id: judged.target, text: memory.text };
  if (judged.action === "created") return { kind: "new", deposit: rest, against: null };
  const other = readMemories(known.tree).memories.find(({ id }) => id === judged.target);
  const related = [...new Set([...stripped.related, judged.target])];
  return {
    kind: "new",
    deposit: { ...rest, note: { ...stripped, related } },
    against: { id: judged.target, said: other?.text ?? "", new: memory.text },
  };
}
