import type { Git } from "../git/index.js";
import { requirementOfBranch } from "../orchestrator/index.js";
import { type CostEvent, parseEvents } from "../requirements/index.js";

const FOLDER = "requirements/events/";

/** What a repository's commits say that runs cost, and files that cannot be read. */
export interface BookedCosts {
  events: CostEvent[];
  problems: string[];
}

/**
 * Reads the cost events of the commit that is checked out and of every requirement's branch, local or fetched: each file once,
 * however many branches have it.
 */
export async function readCostEvents(git: Git, root: string, signal: AbortSignal): Promise<BookedCosts> {
  const at = { folder: root, signal };
  const idOf = new Map<string, string>();
  for (const commit of await commitsWithEvents(git, root, signal)) {
    const { exitCode, stdout } = await git.attempt(["ls-tree", "-r", "-z", commit, FOLDER], at);
    // Without a first commit, HEAD is none.
    if (exitCode !== 0) continue;
    for (const line of stdout.split("\0").filter((item) => item.endsWith("-cost.json"))) {
      const [facts = "", path = ""] = line.split("\t");
      // Paths never change what they hold; if somebody edited one, what is checked out counts.
      if (!idOf.has(path)) idOf.set(path, facts.split(" ")[2] ?? "");
    }
  }
  const blobs = await git.readBlobs([...new Set(idOf.values())], at);
  const tree = new Map([...idOf].map(([path, id]) => [path, blobs.get(id)?.toString("utf8") ?? ""]));
  return parseAll(tree);
}

async function commitsWithEvents(git: Git, root: string, signal: AbortSignal): Promise<Set<string>> {
  const format = "--format=%(objectname) %(refname)";
  const refs = await git.run(["for-each-ref", format, "refs/heads/", "refs/remotes/"], {
    folder: root,
    signal,
  });
  const lines = refs.split("\n").map((line) => line.split(" "));
  const own = lines.filter(
    ([, name = ""]) => requirementOfBranch(name) !== null || name === "refs/remotes/origin/HEAD",
  );
  return new Set(["HEAD", ...own.map(([commit = ""]) => commit)]);
}

function parseAll(tree: ReadonlyMap<string, string>): BookedCosts {
  const requirements = new Set([...tree.keys()].map((path) => path.slice(FOLDER.length).split("/")[0] ?? ""));
  const read = [...requirements].map((requirement) => parseEvents(tree, requirement));
  return {
    events: read.flatMap(({ events }) => events.filter((event) => event.type === "cost")),
    problems: read.flatMap(({ problems }) => problems.map(({ message }) => message)),
  };
}
