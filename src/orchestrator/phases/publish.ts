import { headline, show } from "../board.js";
import { recordBudget, recordCosts } from "../books.js";
import { commitWork } from "../commit-work.js";
import type { Halt } from "../ends.js";
import { reachOf } from "../reach.js";
import { isReadyByItself } from "../ready.js";
import { advance, commitAndPush } from "../state.js";
import { tellTracker } from "../trackers.js";
import type { Run } from "../types.js";
import { recordUses } from "../uses.js";
import { changedFiles, validateResult } from "./validate.js";

/** Closes the run's books, pushes, and shows the result: draft pull request, concluded check run, bill. */
export async function publish(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const { workspace } = run;
  await show(run, { headline: headline("publish", run.language) });
  await advance(run, "in-review", run.validation?.reason);
  await recordUses(run, signal);
  await recordBudget(run);
  await recordCosts(run);
  const halt = await handOver(run, signal);
  if (halt) return halt;
  const { validation } = run;
  if (!validation) return { state: "failed", outcome: "not-run", reason: "nothing was validated" };
  const files = await changedFiles(run);
  if (files.length === 0)
    return { state: "failed", outcome: "not-run", reason: "the agents changed no file" };
  run.board.pull = await run.front.publish(run, {
    title: run.draft?.title ?? run.title,
    headSha: await workspace.head(),
    summary: run.documents.summary,
    validation,
    evidence: run.evidence,
    changedFiles: files,
    reach: await reachOf(run, signal),
    isReady: isReadyByItself(run),
  });
  await run.front.bill(run);
  await tellTracker(run, statusFor(run), signal);
  return null;
}

/** One line for the item that it came from. */
function statusFor({ requirement, board, validation, doors }: Run): string {
  const where =
    board.pull === null ? `branch ${board.branch ?? ""}` : (doors.port?.web(`pull/${board.pull}`) ?? "");
  return `${requirement} is ready for review: ${where} (${validation?.reason ?? ""})`;
}

/** Pushes the result. What a person pushed meanwhile is merged in, and then what is published is checked once more. */
async function handOver(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const message = `${run.requirement}: hand over for review`;
  await commitWork(run, message);
  const checked = await run.workspace.head();
  const halt = await commitAndPush(run, message, signal);
  if (halt || (await run.workspace.head()) === checked) return halt;
  return validateResult(run, signal);
}
