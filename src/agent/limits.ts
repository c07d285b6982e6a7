import { linkSignals } from "../shared/index.js";
import { createDeadline } from "./deadline.js";
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
  /** Waits for a person; the agent's time stands still meanwhile. */
  waitForPerson<T>(work: () => Promise<T>): Promise<T>;
  /** Contract: call it when the agent has ended. */
  release(): void;
}

/** Starts the agent's time. */
export function createLimits(
  spec: Pick<AgentSpec<unknown>, "maxMs" | "maxTurns">,
  deps: Pick<AgentDeps, "budget" | "clock">,
  signal: AbortSignal,
): Limits {
  const deadline = createDeadline(spec.maxMs, deps.clock);
  const linked = linkSignals([signal, deadline.signal]);

  const aborted = (): Stop | null =>
    signal.aborted ? { reason: "ABORTED", message: "The run was stopped." } : null;
  const overTime = (isOver: boolean): Stop | null =>
    isOver ? { reason: "TIMEOUT", message: `The agent's ${spec.maxMs / 1000} s are used up.` } : null;
  const overBudget = (): Stop | null => {
    const message = deps.budget.reached("work");
    return message === null ? null : { reason: "BUDGET", message };
  };
  const overTurns = (turn: number): Stop | null =>
    turn > spec.maxTurns
      ? { reason: "MAX_TURNS", message: `The agent's ${spec.maxTurns} turns are used up.` }
      : null;

  return {
    signal: linked.signal,
    beforeTurn: (turn) => aborted() ?? overBudget() ?? overTime(deadline.isOver()) ?? overTurns(turn),
    interrupted: () => aborted() ?? overTime(deadline.signal.aborted),
    waitForPerson: (work) => deadline.pause(work),
    release: () => {
      deadline.release();
      linked.release();
    },
  };
}
