import {
  type Phase,
  type RequirementEvent,
  type State,
  type StateEvent,
  eventPath,
  formatEvent,
  foldState,
  parseEvents,
  stateEvent,
} from "../requirements/index.js";
import { isoTime } from "../shared/index.js";
import type { PushResult } from "../workspace/index.js";
import { commitWork } from "./commit-work.js";
import type { Halt } from "./ends.js";
import type { Run } from "./types.js";

/** States in which nothing is worked on: the requirement goes on from where it was. */
const INTERRUPTIONS: readonly State[] = ["paused", "blocked"];

/** Where the work on a requirement stands by its events, interruptions left aside; null when it was never opened. */
export function stateOf(run: { events: readonly RequirementEvent[] }): State | null {
  const states = run.events.flatMap((event) => (event.type === "state" ? [event.to] : []));
  return states.findLast((state) => !INTERRUPTIONS.includes(state)) ?? null;
}

/** Where the work stood before it was changed; null when it was never begun. */
export function stateBefore(run: { events: readonly RequirementEvent[] }): State | null {
  const states = run.events.flatMap((event) => (event.type === "state" ? [event.to] : []));
  const passing: readonly State[] = [...INTERRUPTIONS, "changed", "reopened"];
  return states.findLast((state) => !passing.includes(state)) ?? null;
}

/** True for states in which code was written already. */
export function isBuilt(state: State | null): boolean {
  return state === "implementing" || state === "in-review" || state === "verifying";
}

const ORDER: readonly Phase[] = ["requirement", "design", "implement", "validate", "complete"];

/** True when the requirement has got beyond a phase, so that its work need not be done again. */
export function isBeyond(run: { events: readonly RequirementEvent[] }, phase: Phase): boolean {
  return run.events.length > 0 && ORDER.indexOf(foldState(run.events).phase) > ORDER.indexOf(phase);
}

/** What was said of the checks when the requirement was last handed over; null when it never was. */
export function handedOver({ events }: { events: readonly RequirementEvent[] }): string | null {
  const last = events.findLast((event) => event.type === "state" && event.to === "in-review");
  return last?.type === "state" ? (last.evidence ?? "") : null;
}

/** The state after all events; null before the first of them, whatever else was recorded. */
function foldedOf({ events }: Pick<Run, "events">): State | "contested" | null {
  return events.some(({ type }) => type === "state") ? foldState(events).state : null;
}

/** Writes a state event into the checkout; nothing when the requirement is in that state already. */
export async function advance(run: Run, to: State, evidence?: string): Promise<void> {
  const folded = foldedOf(run);
  const from = folded === "contested" ? stateOf(run) : folded;
  if (from === to) return;
  const event: StateEvent = stateEvent({
    id: run.deps.newId(),
    req: run.requirement,
    run: run.id,
    actor: run.doors.self,
    at: isoTime(run.deps.clock.now()),
    from,
    to,
    ...(evidence === undefined ? {} : { evidence }),
  });
  await writeEvent(run, event);
}

/** Takes an interrupted requirement up again where it was. */
export async function resume(run: Run): Promise<void> {
  const before = stateOf(run);
  const folded = foldedOf(run);
  if (before && folded && folded !== "contested" && INTERRUPTIONS.includes(folded))
    await advance(run, before);
}

/** Adds an event file and the event itself. */
export async function writeEvent(run: Run, event: RequirementEvent): Promise<void> {
  await run.workspace.files.write(eventPath(event), formatEvent(event));
  run.events.push(event);
}

/** Takes over what others recorded on the branch while this run was at work, once it was merged in. */
export async function takeNews(run: Run): Promise<void> {
  const { mirror } = run.workspace;
  const folder = `requirements/events/${run.requirement}/`;
  const { events } = parseEvents(
    await mirror.readFiles(await run.workspace.head(), [folder]),
    run.requirement,
  );
  const known = new Set(run.events.map(({ id }) => id));
  const all = [...run.events, ...events.filter(({ id }) => !known.has(id))];
  run.events = all.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Commits what a phase made and pushes it, so that it survives this machine. */
export async function commitAndPush(run: Run, message: string, signal: AbortSignal): Promise<Halt | null> {
  await commitWork(run, `${message}\n\n${run.requirement}, run ${run.id}`);
  const halt = acceptPush(run, await run.workspace.push(signal));
  run.pushedMs = run.deps.clock.now();
  return halt;
}

/** A push takes longer than a small task: within a phase not every commit waits for one. */
const PUSH_EVERY_MS = 10_000;

/** Commits what a task made; it is pushed with the next push, at the latest some seconds later or at the end of the phase. */
export async function commitStep(run: Run, message: string, signal: AbortSignal): Promise<Halt | null> {
  if (run.deps.clock.now() - run.pushedMs >= PUSH_EVERY_MS) return commitAndPush(run, message, signal);
  await commitWork(run, `${message}\n\n${run.requirement}, run ${run.id}`);
  return null;
}

function acceptPush(run: Run, result: PushResult): Halt | null {
  if (result.kind === "refused")
    return { state: "failed", outcome: "failed", reason: `The push was refused: ${result.message}` };
  if (result.kind === "pushed-beside") run.board.notices.push(result.reason);
  run.board.branch = result.branch;
  return null;
}
