import { applyEdit, type Conversation, type Edit } from "./conversation.js";
import type { Aim } from "./compression-policy.js";
import { findCut } from "./cut.js";
import { readHandOver } from "../tools/index.js";
import type { History } from "./history.js";
import { moveToFiles, oldResults, type OldResult } from "./prune.js";
import { summarise } from "./summarise.js";
import type { LineBody } from "./transcript-line.js";
import type { AgentDeps, AgentSpec, CompressionStatus } from "./types.js";

/** Of the size aimed at: so much of the newest is not moved to files. */
const PROTECTED_SHARE = 0.4;
/** Of the size before: less is not worth losing the cached prefix for. */
const MIN_PRUNED = 0.15;
const MIN_PROGRESS = 0.05;

const NO_EDIT: Edit = { pruned: [], summary: null, keepFrom: null, handOver: "" };

/** What is compressed, and with what. */
interface Job {
  history: History;
  aim: Aim;
  spec: AgentSpec<unknown>;
  deps: AgentDeps;
}

/** How a stage went; `edit` changes something only when the status is `COMPRESSED`. */
interface Outcome {
  status: CompressionStatus;
  edit: Edit;
  problem: string;
}

function withoutResults({ history, deps }: Job, results: readonly OldResult[]): Conversation {
  const pruned = results.map(({ n, id }) => ({ n, id, content: deps.texts["pruned"] }));
  return applyEdit(history.conversation(), { ...NO_EDIT, pruned });
}

/** First stage: the results to move; none when too little would be gained. */
function resultsToMove(job: Job): OldResult[] {
  const { history, aim } = job;
  if (!aim.canMove) return [];
  const sizeWithout = (results: OldResult[]) => history.sizeOf(withoutResults(job, results));
  const old = oldResults(history.conversation(), aim.tokens * PROTECTED_SHARE);
  if (aim.isForced && sizeWithout(old) > aim.tokens) return oldResults(history.conversation(), 0);
  return sizeWithout(old) <= (1 - MIN_PRUNED) * history.size() ? old : [];
}

/** Second stage: what of a conversation a summary replaces. */
async function replaceOldest(job: Job, conversation: Conversation, signal: AbortSignal): Promise<Outcome> {
  const { history, aim, spec, deps } = job;
  const failed = (status: CompressionStatus, problem: string) => ({ status, edit: NO_EDIT, problem });
  const cut = findCut(conversation.entries, spec.compression.keep);
  if (cut === null) return failed("NOOP", "There is nothing to sum up yet.");

  const handOver = await readHandOver(spec.context);
  const keepFrom = conversation.entries[cut]?.n ?? null;
  const bare = history.sizeOf(applyEdit(conversation, { pruned: [], keepFrom, handOver, summary: "" }));
  if (bare > aim.limit) {
    return failed(
      "NOOP",
      `What has to stay is about ${bare} tokens, and ${aim.limit} is the most it may be.`,
    );
  }
  // The summary is made of the results as they were, not of the names of the files they go to.
  const whole = history.conversation();
  const oldest = { conversation: whole, entries: whole.entries.slice(0, cut) };
  const summary = await summarise(oldest, spec, deps, signal);
  if ("problem" in summary) return failed("EMPTY", summary.problem);

  const edit: Edit = { pruned: [], keepFrom, handOver, summary: summary.text };
  const before = history.sizeOf(conversation);
  const after = history.sizeOf(applyEdit(conversation, edit));
  if (after <= before * (1 - MIN_PROGRESS)) return { status: "COMPRESSED", edit, problem: "" };
  const problem = `With the summary it would be ${after} instead of ${before} tokens.`;
  return failed(after >= before ? "INFLATED" : "NO_PROGRESS", problem);
}

/**
 * Makes a conversation smaller: moves old results to files, and if that is not enough, replaces its older part by a summary.
 * Gives the line for the transcript; nothing is changed before the history has taken it. Rejects when the signal fires.
 */
export async function compress(
  job: Job,
  signal: AbortSignal,
): Promise<Extract<LineBody, { type: "compressed" }>> {
  const { history, aim, spec, deps } = job;
  const results = resultsToMove(job);
  const lighter = withoutResults(job, results);
  const isEnough = results.length > 0 && history.sizeOf(lighter) <= aim.tokens;
  const { status, edit, problem } = isEnough
    ? { status: "COMPRESSED" as const, edit: NO_EDIT, problem: "" }
    : await replaceOldest(job, lighter, signal);

  const kept = results.filter(({ n }) => n >= (edit.keepFrom ?? 0));
  const pruned = await moveToFiles(kept, spec.context, deps.texts["pruned"]);
  const whole = { ...edit, pruned };
  return {
    type: "compressed",
    turn: aim.turn,
    status: results.length > 0 ? "COMPRESSED" : status,
    before: history.size(),
    after: history.sizeOf(applyEdit(history.conversation(), whole)),
    ...whole,
    problem,
  };
}
