import type { RequirementEvent } from "../../requirements/index.js";
import { type AccrueError, type Language, messageOf } from "../../shared/index.js";
import { branchOf } from "../requirement-branch.js";
import { setRow } from "../board.js";
import type { Ask } from "../intent.js";
import { openMirror } from "../resources.js";
import { handedOver, isBeyond } from "../state.js";
import { recordedEvents, tellUnbegun } from "../tell-unbegun.js";
import type { Board, Doors, EngineDeps, Front, RunEnd, Settings } from "../types.js";

/** How long a run that was stopped looks for what there is. */
const LOOK_MS = 30_000;

/** A run that ends before it has a checkout. */
interface Refused {
  start: { ask: Ask; requirement: string; run: string };
  deps: EngineDeps;
  doors: Doors;
  settings: Settings;
  language: Language;
  board: Board;
  front: Front;
}

/**
 * What cannot be worked on is said on the thread and is no crash: an empty repository, a missing base branch, a stop. What earlier runs
 * made is shown as made.
 */
export async function refuseRun(of: Refused, error: AccrueError): Promise<RunEnd> {
  const { board, front, start } = of;
  const isStopped = error.code === "RUN_STOPPED";
  const recorded = await lookAround(of);
  Object.assign(board, { mark: isStopped ? "paused" : "failed", headline: messageOf(error) });
  await front.show(board, true);
  await tellUnbegun({ ...of, ...start }, recorded);
  const state = isStopped ? "stopped" : "failed";
  return { ...nothingMade(start), outcome: "not-run", state, reason: messageOf(error) };
}

/** What a run made that did not begin. */
export function nothingMade({
  requirement,
  run,
}: Refused["start"]): Pick<RunEnd, "requirement" | "run" | "branch" | "pull" | "tasks"> {
  return { requirement, run, branch: null, pull: null, tasks: [] };
}

/** Puts on the board what earlier runs made, and gives what they recorded; nothing where the repository cannot be reached. */
async function lookAround({ start, deps, doors, settings, board }: Refused): Promise<RequirementEvent[]> {
  const { ask, requirement } = start;
  try {
    const mirror = await openMirror(deps, { ask, doors, settings }, AbortSignal.timeout(LOOK_MS));
    const events = await recordedEvents(mirror, { requirement, settings }, []);
    for (const { phase } of board.rows) if (isBeyond({ events }, phase)) setRow(board, phase, "done", "");
    const checked = isBeyond({ events }, "implement") ? handedOver({ events }) : null;
    if (checked !== null) setRow(board, "validate", "done", checked);
    board.branch = (await branchOf(mirror, { requirement, settings }))?.name ?? null;
    return events;
  } catch (error) {
    deps.log.warn({ requirement, error: messageOf(error) }, "what earlier runs made is not known");
    return [];
  }
}
