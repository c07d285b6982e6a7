import type { Autonomy, RequirementEvent } from "../requirements/index.js";
import type { Settings } from "./types.js";

/** Where this requirement stops for people: as a person said last, else as the repository is configured. */
export function autonomyOf(of: {
  events: readonly RequirementEvent[];
  settings: Pick<Settings, "autonomy">;
}): Autonomy {
  return of.events.findLast((event) => event.type === "autonomy")?.level ?? of.settings.autonomy;
}
