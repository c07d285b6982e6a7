import { join, resolve } from "node:path";
import { type Refreshed, createCheckoutTree } from "../codemap/index.js";
import { type Code, openCode } from "../context/index.js";
import { type Git, type GitRun, createFilePast, listHistory } from "../git/index.js";
import { AccrueError, type Clock } from "../shared/index.js";
import { contextBatch, contextCommand } from "./commands/context.js";
import { mapCommand } from "./commands/map.js";
import { type KnownOfSymbol, knownOfSymbol } from "../knowledge/index.js";
import { readContextFiles } from "./context-files.js";
import { type MemoryCommandDeps, committedSettings, openComparison } from "./open-memories.js";
import { type FindDeps, makeData, requirePlaces } from "./local.js";
import type { Output } from "./output.js";
import { readNamed, worded } from "./typed.js";
import type { CommandEnd, Commands } from "./program.js";

/** What the commands about a checkout's code need. */
export interface CodeCommandDeps extends FindDeps {
  clock: Clock;
  output: Output;
}

/** Opens the code map of the checkout around a folder, brings it up to date, and closes it after the answer. */
export async function withCode<T>(
  deps: CodeCommandDeps,
  repo: string,
  answer: (code: Code, refreshed: Refreshed, root: string) => Promise<T>,
): Promise<T> {
  const { git, signal, clock, output } = deps;
  const places = await requirePlaces(deps, resolve(repo));
  const { root } = places;
  const code = await openCode(
    { now: () => clock.now(), warn: (message) => output.err(`accrue: ${message}\n`) },
    {
      tree: createCheckoutTree(git, root),
      history: (limit) => listHistory(git, { revision: "HEAD", limit }, { folder: root, signal }),
      past: createFilePast(git, "HEAD", { folder: root, signal }),
      // Other checkouts of the repository share it.
      database: join(await makeData(places), "codemap.db"),
    },
  );
  try {
    return await answer(code, await code.map.refresh(signal), root);
  } finally {
    await code.close();
  }
}

/** Makes the commands that answer questions about a checkout's code. Each looks at the checkout first. */
export function codeCommands(deps: CodeCommandDeps & MemoryCommandDeps): Pick<Commands, "map" | "context"> {
  const { git, signal } = deps;
  const asked = (repo: string, answer: Parameters<typeof withCode<CommandEnd>>[2]) =>
    withCode(deps, repo, answer);
  return {
    map: ({ repo, question }) =>
      asked(repo, ({ map }, refreshed, root) =>
        mapCommand(
          {
            map,
            refreshed,
            diff: (revision) => diffOf(git, revision, { folder: root, signal }),
            known: (key) => knownIn(deps, { repo, root, map }, key),
          },
          question,
        ),
      ),
    context: async ({ repo, text, tokens, file, symbol, batch }) => {
      const wish = { text: batch === null ? worded(text) : "", files: file, symbols: symbol };
      const lines = batch === null ? null : await readNamed(batch);
      return asked(repo, ({ context }) =>
        lines === null
          ? contextCommand(context, tokens === null ? wish : { ...wish, tokens })
          : contextBatch(context, lines, batch ?? ""),
      );
    },
  };
}

/** What the checkout's files know about a definition, under every name that it had. */
async function knownIn(
  deps: MemoryCommandDeps,
  { repo, root, map }: { repo: string; root: string; map: Code["map"] },
  key: string,
): Promise<KnownOfSymbol[]> {
  const { roots } = (await committedSettings(deps, root)).knowledge;
  const memory = await openComparison(deps, repo, (names) => map.follow(names));
  try {
    return await knownOfSymbol(memory, await readContextFiles(root, roots), key, deps.signal);
  } finally {
    memory.close();
  }
}

/** The checkout against a revision. Throws `INPUT_INVALID` when there is none of that name. */
async function diffOf(git: Git, revision: string, where: GitRun): Promise<string> {
  const asking = ["rev-parse", "--verify", "-q", "--end-of-options", `${revision}^{commit}`];
  const known = await git.attempt(asking, where);
  if (known.exitCode !== 0) {
    const message = `${revision} is no revision of this repository: correct --diff.`;
    throw new AccrueError("INPUT_INVALID", message);
  }
  const plain = ["--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", "-M"];
  return git.run(["diff", ...plain, known.stdout.trim(), "--"], where);
}
