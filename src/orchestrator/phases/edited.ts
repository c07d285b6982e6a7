import { lastUnderstood } from "../../requirements/index.js";
import { type Ask, isEdit } from "../intent.js";
import { openMirror } from "../resources.js";
import { stateOf } from "../state.js";
import { recordedEvents } from "../tell-unbegun.js";
import type { Doors, EngineDeps, Settings } from "../types.js";
import { issueSaid } from "../understanding.js";

/**
 * Why the edit of an issue needs no run, found out before anybody is shown one: it was never opened, is done, or says what was
 * understood already. Null for one that needs it, and for every other ask.
 */
export async function needlessEdit(
  of: { start: { ask: Ask; requirement: string }; deps: EngineDeps; doors: Doors; settings: Settings },
  signal: AbortSignal,
): Promise<string | null> {
  const { ask, requirement } = of.start;
  if (!isEdit(ask)) return null;
  const mirror = await openMirror(of.deps, { ask, doors: of.doors, settings: of.settings }, signal);
  const base = await mirror.resolve(`refs/remotes/origin/${of.settings.base || ask.defaultBranch}`);
  const events = await recordedEvents(
    mirror,
    { requirement, settings: of.settings },
    base === null ? [] : [base],
  );
  const state = stateOf({ events });
  if (state === null) return `${requirement} was never opened`;
  if (state === "completed" || state === "cancelled") return `${requirement} is ${state}`;
  return lastUnderstood(events)?.issue?.text === issueSaid(ask)
    ? `the issue says what ${requirement} was written from`
    : null;
}
