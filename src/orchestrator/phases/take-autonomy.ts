import { stamp } from "../books.js";
import type { Halt } from "../ends.js";
import { commitAndPush, stateOf, writeEvent } from "../state.js";
import type { Run } from "../types.js";

/** Records where a person wants this requirement to stop, if that is what started the run; there was no branch to record it on. */
export async function takeAutonomy(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const { intent, actor } = run.ask;
  if (intent.kind !== "autonomy" || intent.level === null) return null;
  if (run.events.some((event) => event.type === "autonomy" && event.run === run.id)) return null;
  const by = actor?.login ?? "unknown";
  await writeEvent(run, { v: 1, type: "autonomy", ...stamp(run), level: intent.level, by });
  // A new requirement is pushed with its first document.
  return stateOf(run) === null
    ? null
    : commitAndPush(run, `${run.requirement}: autonomy ${intent.level}`, signal);
}
