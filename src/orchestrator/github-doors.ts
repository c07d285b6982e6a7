import type { GitHub } from "../github/index.js";
import type { Clock } from "../shared/index.js";
import { createGitHubFront } from "./github-front.js";
import type { Ask } from "./intent.js";
import type { Doors, Log } from "./types.js";

/** Opens the doors of a repository on GitHub: its port, its git remote, our identity, and the front that people see. */
export function createGitHubDoors(
  deps: { github: GitHub; clock: Clock; log: Log },
  options: { statusIntervalMs: number },
): (ask: Ask) => Promise<Doors> {
  const { github, clock, log } = deps;
  return async (ask) => {
    const place = { owner: ask.repository.owner, name: ask.repository.name, installation: ask.installation };
    const port = github.repository(place);
    const { login, email } = await github.identity();
    return {
      port,
      self: login,
      identity: { name: login, email },
      askPerson: null,
      remote: { url: github.cloneUrl(place), authorization: () => github.gitAuthorization(place) },
      front: ({ requirement, language, settings }) =>
        createGitHubFront(
          { port, clock, log },
          { ask, requirement, language, mention: settings.mention, ...options },
        ),
    };
  };
}
