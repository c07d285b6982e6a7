import { linkSignals } from "../shared/index.js";
import type { AgentDeps, AgentSpec, EndReason } from "./types.js";

/** Why an agent has to end, and what to tell a person. */
export interface Stop {
  reason: EndReason;
  message: string;
}

/** What holds an agent back besides itself. */
export interface Limits {
  /** Fires when the run is stopped or the agent's time is up. */
  signal: AbortSignal;
  /** Asked before each turn, in this order: stopped, budget, time, turns. */
  beforeTurn(turn: number): Stop | null;
  /** Why `signal` fired; null while it has not. */
  interrupted(): Stop | null;
  /** Contract: call it when the agent has ended. */
  release(): void;
}

/** Starts the agent's time. */
export function createLimits(
  spec: Pick<AgentSpec<unknown>, "maxMs" | "maxTurns">,
  deps: AgentDeps,
  signal: AbortSignal,
): Limits {
  const endsAt = deps.clock.now() + spec.maxMs;
  const linked = linkSignals([signal], spec.maxMs);

  const aborted = (): Stop | null =>
    signal.aborted ? { reason: "ABORTED", message: "The run was stopped." } : null;
  const overTime = (): Stop | null =>
    linked.timedOut() || deps.clock.now() >= endsAt
      ? { reason: "TIMEOUT", message: `The agent's ${spec.maxMs / 1000} s are used up.` }
      : null;
  const overBudget = (): Stop | null => {
    const message = deps.limit();
    return message === null ? null : { reason: "BUDGET", message };
  };

  return {
    signal: linked.signal,
    release: linked.release,
    beforeTurn: (turn) =>
      aborted() ??
      overBudget() ??
      overTime() ??
      (turn > spec.maxTurns
        ? { reason: "MAX_TURNS", message: `The agent's ${spec.maxTurns} turns are used up.` }
        : null),
    interrupted: () => aborted() ?? (linked.timedOut() ? overTime() : null),
  };
}
