import { AccrueError, type ErrorCode, isAccrueError } from "../shared/index.js";
import type { Stop } from "./limits.js";
import type { AgentDeps } from "./types.js";

/** What the budget is asked for: the work, or an agent's last answer, which a reserve is kept for. */
export type Purpose = Parameters<AgentDeps["budget"]["reached"]>[0];

/** Refuses a request whose budget is used up in the moment before it would be sent. */
export function admission({ budget }: Pick<AgentDeps, "budget">, purpose: Purpose): () => void {
  return () => {
    const reason = budget.reached(purpose);
    if (reason !== null) throw new AccrueError("BUDGET_REACHED", reason);
  };
}

/** The end that an error of the model's door brings. Throws what is a fault of the program. */
export function stopOf(error: unknown): Stop {
  if (!isAccrueError(error)) throw error;
  const reasons: Partial<Record<ErrorCode, Stop["reason"]>> = {
    MODEL_OVERFLOW: "OVERFLOW",
    BUDGET_REACHED: "BUDGET",
  };
  return { reason: reasons[error.code] ?? "ERROR", message: error.message };
}
