import type { Git } from "../git/index.js";
import { requirementOfBranch } from "../orchestrator/index.js";

const FOLDER = "requirements/";

/** What a repository's commits say of its requirements, and on which branch each is open. */
export interface RequirementTree {
  tree: Map<string, string>;
  /** What the commit that is checked out says, without what is open on branches. */
  base: Map<string, string>;
  branches: Map<string, string>;
}

/** Reads the requirements of the commit that is checked out, and of every requirement's own branch, local or fetched. */
export async function readRequirementTree(
  git: Git,
  root: string,
  signal: AbortSignal,
): Promise<RequirementTree> {
  const at = { folder: root, signal };
  const refs = await git.run(["for-each-ref", "--format=%(refname)", "refs/heads/", "refs/remotes/"], at);
  const branches = new Map<string, string>();
  const tree = new Map<string, string>();
  for (const ref of refs.split("\n").filter(Boolean)) {
    const id = requirementOfBranch(ref);
    if (id === null || branches.has(id)) continue;
    branches.set(id, ref.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, ""));
    const isOwn = (path: string) => path.split("/").some((part) => part === id || part.startsWith(`${id}-`));
    for (const [path, text] of await filesOf(git, ref, at)) if (isOwn(path)) tree.set(path, text);
  }
  const base = await filesOf(git, "HEAD", at);
  for (const [path, text] of base) if (!tree.has(path)) tree.set(path, text);
  return { tree, base, branches };
}

/** Without a first commit there are none. */
async function filesOf(
  git: Git,
  revision: string,
  at: { folder: string; signal: AbortSignal },
): Promise<Map<string, string>> {
  const { exitCode, stdout } = await git.attempt(["ls-tree", "-r", "-z", revision, FOLDER], at);
  const lines = exitCode === 0 ? stdout.split("\0").filter(Boolean) : [];
  const found = lines.map((line) => {
    const [facts = "", path = ""] = line.split("\t");
    return { path, blob: facts.split(" ")[2] ?? "" };
  });
  const blobs = await git.readBlobs([...new Set(found.map(({ blob }) => blob))], at);
  return new Map(found.map(({ path, blob }) => [path, blobs.get(blob)?.toString("utf8") ?? ""]));
}
