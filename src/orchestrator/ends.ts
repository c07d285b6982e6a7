import type { AgentEnd } from "../agent/index.js";
import type { RunEnd } from "./types.js";

/** Why a run does not go on: what becomes of it, and the sentence that people read. */
export interface Halt extends Pick<RunEnd, "state" | "outcome" | "reason"> {
  /** What the first line says instead of state and reason, where a person is asked for something. */
  headline?: string;
  /** What a person has to give before it goes on. */
  needs?: "approval" | "budget";
}

/** Turns a subagent's end into the run's: null when it reached its goal. */
export function haltOf(who: string, end: AgentEnd<unknown>): Halt | null {
  if (end.reason === "GOAL") return null;
  if (end.reason === "BUDGET")
    return { state: "paused", outcome: "not-run", reason: end.message, needs: "budget" };
  const detail = end.message ? `: ${end.message}` : "";
  return {
    state: "failed",
    outcome: "failed",
    reason: `${who} ended with ${end.reason} after ${end.turns} ${end.turns === 1 ? "turn" : "turns"}${detail}`,
  };
}
