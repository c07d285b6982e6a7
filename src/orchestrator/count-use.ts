import type { Use } from "../ledger/index.js";
import { isoTime } from "../shared/index.js";
import type { Run } from "./types.js";

/** Counts that a run used a note, a rule, a skill, a command or an agent. */
export function countUse(run: Run, use: Pick<Use, "kind" | "id" | "how">): void {
  const { ask, requirement, id: runId, deps } = run;
  const at = isoTime(deps.clock.now());
  deps.ledger.use({ ...use, repository: ask.repository, requirement, run: runId, at });
}

/** Counts that agents of a phase were shown these rules and notes. */
export function countShown(run: Run, phase: string, ids: readonly string[]): void {
  run.shown.set(phase, [...new Set([...(run.shown.get(phase) ?? []), ...ids])]);
  for (const id of ids) countUse(run, { kind: id.startsWith("R-") ? "rule" : "note", id, how: "shown" });
}
