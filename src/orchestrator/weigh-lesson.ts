import {
  type Deposit,
  type Note,
  type Tree,
  type TreeMemory,
  type WeighedDeposit,
  learnable,
  weighDeposit,
} from "../knowledge/index.js";

/**
 * Takes out of a lesson what the knowledge says already, because its agent may have been shown it, and compares the rest with
 * what is remembered: so that a false note does not multiply by being repeated, and a contradiction is kept beside what it
 * contradicts.
 */
export async function weighLesson(
  deposit: Deposit,
  known: { tree: Tree; memory: TreeMemory },
  signal: AbortSignal,
): Promise<WeighedDeposit> {
  const injected = knowledgeTexts(known.tree);
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
  return weighDeposit({ ...deposit, note: stripped }, known.tree, (memory) =>
    known.memory.judge(known.tree, memory, signal),
  );
}

/** All that an agent may have been shown of what is known. */
export function knowledgeTexts(tree: Tree): string[] {
  return [...tree].flatMap(([path, text]) =>
    path.startsWith("requirements/") || !path.includes("/") ? [] : [text],
  );
}
