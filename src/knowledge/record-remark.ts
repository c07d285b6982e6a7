import { type Judgement, type Memory, findSecrets } from "../memory/index.js";
import { formatDeposit } from "./deposit.js";
import { type DepositsBasis, type Recorded, depositsOf, recordedOf } from "./deposits-of.js";
import type { DepositInput } from "./types.js";
import { type Contradiction, weighDeposit } from "./weigh-deposit.js";

/** What a remark is judged by. */
export interface RemarkBasis extends DepositsBasis {
  /** Says what becomes of a memory beside what is remembered; null where only the same words count as known. */
  judge: ((memory: Memory) => Promise<Judgement>) | null;
}

/** What became of a remark. */
export interface RecordedRemark extends Recorded {
  /** Kinds of the secrets in it; nothing is recorded then. */
  secrets: string[];
  /** Memories that a recorded lesson contradicts: both are kept. */
  contradictions: (Contradiction & { note: string })[];
  /** Memories that it says again in other words, which are kept as events. */
  repeated: { memory: string; text: string }[];
  /** Path → text of the deposits. */
  writes: Map<string, string>;
}

/**
 * Makes deposits of a person's remark, the same for a comment and the command line: secrets are refused before anything is
 * made, what is remembered in other words is an event of that memory, and what contradicts is kept beside it.
 * Contract: throws `INPUT_INVALID` when the remark says nothing of its own.
 */
export async function recordRemark(input: DepositInput, basis: RemarkBasis): Promise<RecordedRemark> {
  const secrets = [...new Set(findSecrets(input.text).map(({ kind }) => kind))];
  const nothing: Recorded = { deposits: [], recorded: [], skipped: [] };
  const made = secrets.length > 0 ? nothing : depositsOf(input, basis);
  const result: RecordedRemark = {
    ...nothing,
    skipped: [...made.skipped],
    secrets,
    contradictions: [],
    repeated: [],
    writes: new Map(),
  };
  for (const deposit of made.deposits) {
    const { judge, tree } = basis;
    const weighed = judge === null ? null : await weighDeposit(deposit, tree, judge);
    const { note } = deposit;
    if (weighed?.kind === "known") {
      const { id, text } = weighed;
      const reason = "it is known already in other words";
      result.skipped.push({ title: note.title, code: "known", reason, known: id });
      result.repeated.push({ memory: id, text });
      continue;
    }
    // What a person asks to remember is kept, also where it names nothing.
    const kept = weighed?.kind === "new" ? weighed.deposit : deposit;
    if (weighed?.kind === "new" && weighed.against)
      result.contradictions.push({ ...weighed.against, note: note.id });
    result.deposits.push(kept);
    result.recorded.push(recordedOf(kept));
    result.writes.set(note.file, formatDeposit(kept));
  }
  return result;
}
