import { isAccrueError } from "../shared/index.js";
import { closeCheckouts, closeRun } from "./close-run.js";
import { approveDesign, approveRequirement } from "./phases/approval.js";
import { compare } from "./phases/compare.js";
import { writeDesign } from "./phases/design.js";
import { implement } from "./phases/implement.js";
import { learn } from "./phases/learn.js";
import { openServices } from "./phases/open-services.js";
import { openRun, type RunStart } from "./phases/open.js";
import { prepare } from "./phases/prepare.js";
import { checkRequest, fulfilRequest, prepareRequest } from "./phases/request.js";
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
import { settleRequest } from "./settle-request.js";
import type { EngineDeps, RunEnd } from "./types.js";
import { type Phase, work } from "./work.js";

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

/** A small request on a pull request: one task on its branch. */
const REQUEST: readonly Phase[] = [
  prepareRequest, // dependencies set up
  fulfilRequest, //  the test or rule is written, proved, and only then pushed
  checkRequest, //   all checks on the new head
];

/**
 * Takes one requirement from its issue to a pull request, or on from wherever it stands; a small request to its answer.
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
    const end = start.pull
      ? await settleRequest(run, await work(run, REQUEST, signal))
      : await settle(run, await work(run, PHASES, signal));
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
