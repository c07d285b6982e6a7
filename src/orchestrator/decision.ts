import type { Ask } from "./intent.js";
import type { RunStart } from "./phases/open.js";

/** What becomes of an ask: it was answered at once, or long work has to be queued under a group. */
export type Decision = { kind: "answered"; outcome: string } | { kind: "work"; group: string; work: Work };

/** Long work, one at a time per group. */
export type Work =
  | { kind: "run"; start: RunStart }
  | { kind: "complete"; ask: Ask; requirement: string | null };

/** What nothing more comes of: long work, or an ask that could not even be decided. */
export type GivenUp = Work | { kind: "ask"; ask: Ask };

/** Why nothing more comes of it: a failure, or that somebody stopped it. */
export interface Ending {
  message: string;
  isStopped: boolean;
}

/** Stops what runs or waits in a group; tells how much that was. `reason` is a sentence that people read. */
export type Stop = (
  group: string,
  stop: { by: string; reason: string },
) => { removed: number; signalled: number };
