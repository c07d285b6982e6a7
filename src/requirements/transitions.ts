import type { Phase, State } from "./types.js";

const WORKING = [
  "opened",
  "clarified",
  "designed",
  "approved",
  "implementing",
  "in-review",
  "verifying",
] as const;
/** A person or a limit can interrupt work in any state. */
const INTERRUPTS = ["changed", "blocked", "paused", "cancelled"] as const satisfies readonly State[];

/** Which state may follow which; what is not listed is refused. */
export const TRANSITIONS: Readonly<Record<State, readonly State[]>> = {
  opened: ["clarified", ...INTERRUPTS],
  // A change of a few lines needs no design.
  clarified: ["designed", "approved", ...INTERRUPTS],
  // An answer to a question can send a design back.
  designed: ["approved", "clarified", ...INTERRUPTS],
  approved: ["implementing", "designed", ...INTERRUPTS],
  implementing: ["in-review", ...INTERRUPTS],
  "in-review": ["verifying", "implementing", ...INTERRUPTS],
  verifying: ["completed", "in-review", "implementing", ...INTERRUPTS],
  completed: ["reopened"],
  changed: ["clarified", "designed", "approved", "implementing", "blocked", "paused", "cancelled"],
  blocked: [...WORKING, "changed", "paused", "cancelled"],
  paused: [...WORKING, "changed", "blocked", "cancelled"],
  cancelled: ["reopened"],
  reopened: ["clarified", "designed", "approved", "implementing", ...INTERRUPTS],
};

const PHASES: Readonly<Record<State, Phase>> = {
  opened: "requirement",
  clarified: "requirement",
  designed: "design",
  approved: "design",
  implementing: "implement",
  "in-review": "validate",
  verifying: "validate",
  completed: "complete",
  cancelled: "complete",
  changed: "requirement",
  reopened: "requirement",
  blocked: "requirement",
  paused: "requirement",
};

/**
 * The phase that a state belongs to.
 * Contract: `blocked`, `paused` and `contested` do not tell where work stood; take the phase of `foldState` for them.
 */
export function phaseOf(state: State | "contested"): Phase {
  return state === "contested" ? "requirement" : PHASES[state];
}

/** True when a requirement may go from one state to the other; null stands before the first. */
export function isAllowed(from: State | null, to: State): boolean {
  return from === null ? to === "opened" : TRANSITIONS[from].includes(to);
}

/** True for states in which nothing is worked on, so that they do not say in which phase work stood. */
export function isInterruption(state: State): boolean {
  return state === "blocked" || state === "paused";
}
