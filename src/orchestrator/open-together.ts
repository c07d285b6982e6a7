import { isAccrueError } from "../shared/index.js";
import { askAt } from "./ask-at.js";
import type { Scene } from "./scene.js";
import { pullsTogether } from "./texts/together.js";
import type { EngineDeps } from "./types.js";

/** Pull requests in repositories of services that belong to a merged one, as its body says, and are open still. */
export async function openTogether(
  { ask, settings }: Pick<Scene, "ask" | "settings">,
  body: string,
  deps: Pick<EngineDeps, "doors">,
): Promise<string[]> {
  // People can edit a body: it makes nobody look into other repositories than those of the services.
  const known = new Set(Object.values(settings.services).map(({ repository }) => repository.toLowerCase()));
  const open: string[] = [];
  for (const { repository, pull } of pullsTogether(body)) {
    if (!known.has(repository.toLowerCase())) continue;
    const [owner = "", name = ""] = repository.split("/");
    const there = askAt(ask, { owner, name });
    try {
      const { port } = await deps.doors(there);
      if ((await port?.pull(pull))?.state === "open") open.push(`${repository}#${pull}`);
    } catch (error) {
      // What cannot be seen any more is not waited for.
      if (!isAccrueError(error) || error.retryable) throw error;
    }
  }
  return open;
}
