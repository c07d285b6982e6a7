import { resolve } from "node:path";
import { type Lookups, type Tree, lookUpCited, otherRoots, shareKnowledge } from "../knowledge/index.js";
import { citedCodeOf } from "../orchestrator/index.js";
import { AccrueError, createUlids, isoTime, languageOf, randomBase32 } from "../shared/index.js";
import { type CodeCommandDeps, withCode } from "./code-commands.js";
import { rememberCommand } from "./commands/remember.js";
import { rulesCheckCommand, rulesFixCommand, rulesMatchBatch, rulesMatchCommand } from "./commands/rules.js";
import { readContextFiles } from "./context-files.js";
import { readSome, writeSeen } from "./knowledge-files.js";
import { type FindDeps, findRepository, nameAmongOthers, requirePlaces } from "./local.js";
import { sharedFolder, sharedWrites } from "./shared-folder.js";
import { type MemoryCommandDeps, committedSettings, openComparison } from "./open-memories.js";
import { readNamed } from "./typed.js";
import type { CommandEnd, Commands } from "./program.js";

/** Makes the commands about a checkout's knowledge. They look at the files as they lie there, committed or not. */
export function knowledgeCommands(
  deps: CodeCommandDeps & MemoryCommandDeps,
): Pick<Commands, "remember" | "rulesMatch" | "rulesCheck"> {
  const open = async (repo: string) => {
    const { root } = await requirePlaces(deps, resolve(repo));
    const { roots, repository } = (await committedSettings(deps, root)).knowledge;
    return { root, roots, repository, tree: await readContextFiles(root, roots) };
  };
  return {
    remember: async ({ repo, text, batch }) => {
      const { person, knownAs } = await findRepository(deps, resolve(repo));
      const { root, tree: own, repository } = await open(repo);
      const shared = await sharedFolder(deps, { root, repository });
      const tree = shared === null ? own : shareKnowledge(own, shared.tree, knownAs).tree;
      const newId = createUlids(deps.clock);
      const input = {
        by: person.name,
        source: "",
        run: newId(),
        at: isoTime(deps.clock.now()),
        path: null,
        symbols: [],
        requirement: null,
        newId,
        newNoteId: () => `EXP-${randomBase32(8)}`,
        newRuleId: () => `R-${randomBase32(6)}`,
      };
      const memory = await openComparison(deps, repo);
      try {
        const scene = { tree, memory, signal: deps.signal, input, languageOf };
        const { end, writes } = await rememberCommand(scene, { text, batch });
        if (shared === null) await writeSeen(root, tree, writes);
        else await writeSeen(shared.folder, shared.tree, sharedWrites(writes, knownAs));
        return shared === null || batch !== null || writes.size === 0
          ? end
          : { ...end, text: `${end.text}\n  It lies in ${shared.folder}, which several repositories share.` };
      } finally {
        memory.close();
      }
    },
    rulesMatch: async ({ repo, text, path, label, symbol, phase, batch }) => {
      if (batch === null && [text, ...path, ...label, ...symbol].every((said) => said.trim() === "")) {
        throw new AccrueError("INPUT_INVALID", "Nothing is asked: name the task with --text, or a --path.");
      }
      const lines = batch === null ? null : { text: await readNamed(batch), file: batch };
      const wish = { text, paths: path, labels: label, symbols: symbol, phase };
      const { roots, repository, ...own } = await open(repo);
      const knowledge = { ...own, tree: await withShared(deps, own, repository) };
      return withCited(deps, repo, knowledge, (tree, cited) => {
        const lookups = { ...cited, roots: otherRoots(roots) };
        return lines ? rulesMatchBatch(tree, lookups, lines) : rulesMatchCommand(tree, lookups, wish);
      });
    },
    rulesCheck: async ({ repo, fix }) => {
      const { root, roots, tree } = await open(repo);
      const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
      const { stdout } = await deps.git.attempt(listing, { folder: root, signal: deps.signal });
      const place = {
        roots: otherRoots(roots),
        paths: new Set([...stdout.split("\0").filter(Boolean), ...tree.keys()]),
      };
      if (!fix) return rulesCheckCommand(tree, place);
      const { end, writes } = rulesFixCommand(tree, place);
      await writeSeen(root, tree, writes);
      return end;
    },
  };
}

/** With what a folder that is named as `knowledge.repository` knows, as it lies there. */
async function withShared(
  deps: FindDeps,
  { root, tree }: { root: string; tree: Tree },
  repository: string,
): Promise<Tree> {
  if (repository === "") return tree;
  const theirs = await readContextFiles(resolve(root, repository), []);
  return shareKnowledge(tree, theirs, await nameAmongOthers(deps, root)).tree;
}

/** Gives the knowledge with the code it cites; the code map is opened only where a definition has to be looked at. */
async function withCited(
  deps: CodeCommandDeps,
  repo: string,
  { root, tree }: { root: string; tree: Tree },
  answer: (tree: Tree, lookups: Lookups) => CommandEnd,
): Promise<CommandEnd> {
  const read = async (path: string) => (await readSome(root, [path])).get(path) ?? null;
  let isMapNeeded = false;
  const missing = () => void (isMapNeeded = true);
  const lookups = await lookUpCited(tree, {
    file: async (path) => (await read(path)) ?? missing() ?? null,
    definition: async () => missing(),
  });
  if (!isMapNeeded) return answer(tree, lookups);
  return withCode(deps, repo, async ({ map }) =>
    answer(
      tree,
      await lookUpCited(
        tree,
        citedCodeOf(read, () => Promise.resolve(map)),
      ),
    ),
  );
}
