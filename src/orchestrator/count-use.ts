import type { Use } from "../ledger/index.js";
import { isoTime } from "../shared/index.js";
import type { Run } from "./types.js";

/** Counts that a run used a note, a rule, a skill, a command or an agent. */
export function countUse(run: Run, use: Pick<Use, "kind" | "id" | "how">): void {
  const { ask, requirement, id: runId, deps } = run;
  const at = isoTime(deps.clock.now());
  deps.ledger.use({ ...use, repository: ask.repository, requirement, run: runId, at });
}
