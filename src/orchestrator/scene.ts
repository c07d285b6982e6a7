import { type Language, languageOf } from "../shared/index.js";
import type { Ask } from "./intent.js";
import { ownWords } from "./own-words.js";
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
  const language = settings.language === "auto" ? spokenIn(ask) : settings.language;
  const own = withoutForeign(ask, settings);
  return { ask: own, doors, settings, language, requirement: requirementOf(own), ...call };
}

/** The ask without a branch that only speaks of a requirement and is a person's: what is said there is not said of that requirement. */
function withoutForeign(ask: Ask, { branch }: Settings): Ask {
  const isForeign =
    ask.thread?.isPull === true &&
    requirementOfBranch(ask.headRef) !== null &&
    ownRequirement(ask.headRef, branch, ask.thread.body) === null;
  return isForeign ? { ...ask, headRef: null } : ask;
}

/** A question is answered in its own language, everything else in that of its thread. */
function spokenIn({ intent, thread }: Ask): Language {
  const words = "text" in intent ? intent.text : "";
  const question = intent.kind === "ask" ? ownWords(words).trim() : "";
  return languageOf(question || `${thread?.title ?? ""} ${thread?.body ?? ""} ${words}`);
}
