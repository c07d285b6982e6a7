import { isAccrueError, messageOf } from "../shared/index.js";
import { closeCheckouts, closeRun } from "./close-run.js";
import type { Halt } from "./ends.js";
import { approveDesign, approveRequirement } from "./phases/approval.js";
import { compare } from "./phases/compare.js";
import { writeDesign } from "./phases/design.js";
import { implement } from "./phases/implement.js";
import { learn } from "./phases/learn.js";
import { openServices } from "./phases/open-services.js";
import { openRun, type RunStart } from "./phases/open.js";
import { prepare } from "./phases/prepare.js";
import { publish } from "./phases/publish.js";
import { recognise } from "./phases/recognise.js";
import { remind } from "./phases/remind.js";
import { reviewChange } from "./phases/review-change.js";
import { writeRequirement } from "./phases/requirement.js";
import { reviseRequirement } from "./phases/revise.js";
import { settle } from "./phases/settle.js";
import { takeAutonomy } from "./phases/take-autonomy.js";
import { validateResult } from "./phases/validate.js";
import { reconsider } from "./phases/wish.js";
import type { EngineDeps, Run, RunEnd } from "./types.js";

/** A phase does its part, or finds it done by an earlier try, or says why the run does not go on. */
type Phase = (run: Run, signal: AbortSignal) => Promise<Halt | null>;

/** The whole job, in order. Each phase commits what it made, so that a crash repeats at most one. */
const PHASES: readonly Phase[] = [
  takeAutonomy, //      where a person wants it to stop
  recognise, //         what earlier runs have done
  reconsider, //        what is wanted now, where work was done already
  prepare, //           dependencies set up, checks run on the untouched base
  reviseRequirement, // req-change: what changed since, kept apart from what is done
  writeRequirement, //  requirement-manager → requirement.md
  approveRequirement, // only where people want to confirm first
  remind, //            experience that fits, shown unprompted; no model
  writeDesign, //       design-manager → design.md, tasks.md
  compare, //           what else is open or was merged, told where it touches this
  approveDesign, //     there too, and where a rule wants it
  openServices, //      a checkout of each other repository that the plan names
  implement, //         implementation-executor, task by task
  validateResult, //    syntax, types, tests; failures go back, then to a person
  reviewChange, //      fresh reviewers; what is blocking goes back once
  learn, //             experience-depositor → context/deposits/<run>.md
  publish, //           branch, draft pull request and check run in each, one bill
];

/**
 * Takes one requirement from its issue to a pull request, or on from wherever it stands.
 * Contract: resolves for every expected end; rejects when the work should be tried again (a crash's cause, a lost lease).
 */
export async function runRequirement(
  start: RunStart,
  deps: EngineDeps,
  signal: AbortSignal,
): Promise<RunEnd> {
  const opened = await openRun(start, deps, signal); // 👀, status comment, clone, checkout, events, knowledge
  if ("end" in opened) return opened.end;
  const { run } = opened;
  try {
    const end = await settle(run, await work(run, signal));
    await closeCheckouts(run);
    return end;
  } catch (error) {
    // What is tried again goes on from this run's own commits; another worker may be doing so already.
    if (!isAccrueError(error) || !error.retryable) await closeCheckouts(run);
    throw error;
  } finally {
    await closeRun(run);
  }
}

/** All phases up to the first that halts. A run that a person stops halts too; one that is only taken away from us rejects. */
async function work(run: Run, signal: AbortSignal): Promise<Halt> {
  try {
    for (const phase of PHASES) {
      const halt = await phase(run, signal);
      if (halt) return halt;
    }
    return {
      state: "finished",
      outcome: run.validation?.outcome ?? "not-run",
      reason: run.validation?.reason ?? "",
    };
  } catch (error) {
    if (isAccrueError(error) && error.retryable) throw error;
    return haltOfError(run, error);
  }
}

/** What trying again cannot cure is said where people look, instead of a status that never changes again. */
function haltOfError(run: Run, error: unknown): Halt {
  if (isAccrueError(error, "RUN_STOPPED"))
    return { state: "stopped", outcome: "not-run", reason: error.message };
  run.deps.log.error({ requirement: run.requirement, run: run.id, err: error }, "the run failed");
  return { state: "failed", outcome: "not-run", reason: messageOf(error) };
}
