import { type Language, languageOf } from "../shared/index.js";
import type { Ask } from "./intent.js";
import { ownRequirement } from "./requirement-branch.js";
import { requirementOf, requirementOfBranch } from "./requirement-of.js";
import type { Doors, EngineDeps, Settings } from "./types.js";

/** An ask with everything that answering it needs. */
export interface Scene {
  ask: Ask;
  doors: Doors;
  settings: Settings;
  language: Language;
  requirement: string | null;
  /** Above 1 when an earlier try may have written something already. */
  attempt: number;
  /** Fires when the work is not ours any more. */
  signal: AbortSignal;
}

/** Opens the doors and reads the settings of an ask. Contract: rejects with `CONFIG_INVALID` where those cannot be used. */
export async function sceneOf(
  ask: Ask,
  call: Pick<Scene, "attempt" | "signal">,
  deps: EngineDeps,
): Promise<Scene> {
  const doors = await deps.doors(ask);
  const settings = await deps.settings(ask, doors);
  const words = "text" in ask.intent ? ask.intent.text : "";
  const language =
    settings.language === "auto"
      ? languageOf(`${ask.thread?.title ?? ""} ${ask.thread?.body ?? ""} ${words}`)
      : settings.language;
  const spoken = spokenOf(ask, settings);
  return { ask: spoken, doors, settings, language, requirement: requirementOf(spoken), ...call };
}

/** The ask without a branch that only speaks of a requirement and is a person's: what is said there is not said of that requirement. */
function spokenOf(ask: Ask, { branch }: Settings): Ask {
  const isForeign =
    ask.thread?.isPull === true &&
    requirementOfBranch(ask.headRef) !== null &&
    ownRequirement(ask.headRef, branch, ask.thread.body) === null;
  return isForeign ? { ...ask, headRef: null } : ask;
}
