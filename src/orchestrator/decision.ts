import type { ShownGate } from "./gate.js";
import type { Ask } from "./intent.js";
import type { RunStart } from "./phases/open.js";

/** What becomes of an ask: it was answered at once, or long work has to be queued under a group. */
export type Decision = { kind: "answered"; outcome: string } | { kind: "work"; group: string; work: Work };

/** Long work, one at a time per group. */
export type Work =
  | { kind: "run"; start: RunStart }
  | { kind: "complete"; ask: Ask; requirement: string | null }
  | { kind: "load-service"; ask: Ask }
  | { kind: "question"; ask: Ask };

/** A text that waits for a person's approval, to be looked at again and again. */
export interface GateWatch {
  /** The run that waits. */
  start: RunStart;
  /** The issue whose status comment shows it. */
  issue: number;
  gate: ShownGate;
}

/** What became of long work: a sentence for the record, and what is to be watched from now on. */
export interface Worked {
  outcome: string;
  watch: GateWatch | null;
}

/** What a look at something that is waited for brought: nothing yet, its end, or long work to be queued. */
export type Watched =
  | { kind: "waiting" }
  | { kind: "over"; outcome: string }
  | { kind: "work"; outcome: string; group: string; key: string; work: Work };

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
