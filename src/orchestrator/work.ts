import { isAccrueError, messageOf } from "../shared/index.js";
import type { Halt } from "./ends.js";
import type { Run } from "./types.js";

/** A phase does its part, or finds it done by an earlier try, or says why the run does not go on. */
export type Phase = (run: Run, signal: AbortSignal) => Promise<Halt | null>;

/** All phases up to the first that halts. A run that a person stops halts too; one that is only taken away from us rejects. */
export async function work(run: Run, phases: readonly Phase[], signal: AbortSignal): Promise<Halt> {
  try {
    for (const phase of phases) {
      const halt = await phase(run, signal);
      if (halt) return halt;
    }
    return {
      state: "finished",
      outcome: run.validation?.outcome ?? "not-run",
      reason: run.validation?.reason ?? "",
    };
  } catch (error) {
    if (isAccrueError(error) && error.retryable) throw error;
    return haltOfError(run, error);
  }
}

/** What trying again cannot cure is said where people look, instead of a status that never changes again. */
function haltOfError(run: Run, error: unknown): Halt {
  if (isAccrueError(error, "RUN_STOPPED"))
    return { state: "stopped", outcome: "not-run", reason: error.message };
  run.deps.log.error({ requirement: run.requirement, run: run.id, err: error }, "the run failed");
  return { state: "failed", outcome: "not-run", reason: messageOf(error) };
}
