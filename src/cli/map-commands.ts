import { join, resolve } from "node:path";
import { createCheckoutTree, openCodeMap } from "../codemap/index.js";
import { AccrueError, type Clock } from "../shared/index.js";
import { mapCommand } from "./commands/map.js";
import type { MapQuestion } from "./map-question.js";
import { type FindDeps, makeData, requirePlaces } from "./local.js";
import type { Output } from "./output.js";
import type { CommandEnd, Common } from "./program.js";

/** What the commands of the map need. */
export interface MapCommandDeps extends FindDeps {
  clock: Clock;
  output: Output;
}

/** Makes the command that answers questions about a checkout's code. It always looks at the checkout first. */
export function mapCommands(deps: MapCommandDeps): {
  map(input: Common & { question: MapQuestion }): Promise<CommandEnd>;
} {
  const { git, signal, clock, output } = deps;
  const diffIn = (folder: string) => async (revision: string) => {
    const known = await git.attempt(
      ["rev-parse", "--verify", "-q", "--end-of-options", `${revision}^{commit}`],
      {
        folder,
        signal,
      },
    );
    if (known.exitCode !== 0) {
      throw new AccrueError(
        "INPUT_INVALID",
        `${revision} is no revision of this repository: correct --diff.`,
      );
    }
    const plain = [
      "--no-color",
      "--no-ext-diff",
      "--no-textconv",
      "--src-prefix=a/",
      "--dst-prefix=b/",
      "-M",
    ];
    return git.run(["diff", ...plain, known.stdout.trim(), "--"], { folder, signal });
  };
  return {
    map: async ({ repo, question }) => {
      const places = await requirePlaces(deps, resolve(repo));
      const { root } = places;
      const { map, close } = await openCodeMap(
        { now: () => clock.now(), warn: (message) => output.err(`${message}\n`) },
        // Other checkouts of the repository share it.
        { tree: createCheckoutTree(git, root), database: join(await makeData(places), "codemap.db") },
      );
      try {
        const refreshed = await map.refresh(signal);
        return await mapCommand({ map, refreshed, diff: diffIn(root) }, question);
      } finally {
        await close();
      }
    },
  };
}
