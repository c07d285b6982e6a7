import type { Git } from "./git.js";

const FIELDS_PER_COMMIT = 10;

/** One person's name on a commit. `date` is milliseconds since 1970. */
export interface Signature {
  name: string;
  email: string;
  date: number;
}

/** A commit as git has it. */
export interface CommitRecord {
  sha: string;
  tree: string;
  parents: string[];
  author: Signature;
  committer: Signature;
  message: string;
}

/** All refs with what they point to. */
export async function readRefs(git: Git, folder: string): Promise<Map<string, string>> {
  const output = await git.text(folder, ["for-each-ref", "--format=%(refname) %(objectname)"]);
  const refs = new Map<string, string>();
  for (const line of output.split("\n")) {
    const at = line.indexOf(" ");
    if (at > 0) refs.set(line.slice(0, at), line.slice(at + 1));
  }
  return refs;
}

/** An object of git's store. */
interface GitObject {
  sha: string;
  type: string;
}

/** What each of some revisions such as `main:src` names, or null. */
async function findObjects(git: Git, folder: string, revisions: string[]): Promise<(GitObject | null)[]> {
  // One revision a line: a name with a line break is no name at all.
  const lines = revisions.map((revision) => (revision.includes("\n") ? "?" : revision));
  const output = await git.text(folder, ["cat-file", "--batch-check=%(objectname) %(objecttype)"], {
    input: `${lines.join("\n")}\n`,
  });
  return output
    .trimEnd()
    .split("\n")
    .map((line) => {
      const match = /^([0-9a-f]{40,64}) (blob|tree|commit|tag)$/.exec(line);
      return match ? { sha: match[1] ?? "", type: match[2] ?? "" } : null;
    });
}

/** What one revision names, or null. */
export async function findObject(git: Git, folder: string, revision: string): Promise<GitObject | null> {
  const [object = null] = await findObjects(git, folder, [revision]);
  return object;
}

/** The commit that a branch, tag, ref or SHA names, or null. Branches win over tags, as in GitHub's API. */
export async function findCommit(git: Git, folder: string, revision: string): Promise<string | null> {
  const names = [`refs/heads/${revision}`, `refs/tags/${revision}`, revision];
  const objects = await findObjects(
    git,
    folder,
    names.map((name) => `${name}^{commit}`),
  );
  return objects.find((object) => object !== null)?.sha ?? null;
}

/** The commit at the tip of a branch, or null. */
export async function branchTip(git: Git, folder: string, branch: string): Promise<string | null> {
  return (await findObject(git, folder, `refs/heads/${branch}^{commit}`))?.sha ?? null;
}

/** SHAs that a range such as `a..b` holds, newest first. */
export async function listCommits(
  git: Git,
  folder: string,
  range: { revisions: string[]; path?: string; limit?: number },
): Promise<string[]> {
  const output = await git.text(folder, [
    "rev-list",
    ...(range.limit === undefined ? [] : [`--max-count=${range.limit}`]),
    ...range.revisions,
    "--",
    ...(range.path ? [`:(literal)${range.path}`] : []),
  ]);
  return output.split("\n").filter(Boolean);
}

/** How many commits a range holds. */
export async function countCommits(git: Git, folder: string, range: string): Promise<number> {
  return Number(await git.text(folder, ["rev-list", "--count", range, "--"]));
}

/** The commits of some SHAs, in the same order. */
export async function readCommits(git: Git, folder: string, shas: string[]): Promise<CommitRecord[]> {
  if (shas.length === 0) return [];
  const output = await git.text(
    folder,
    [
      "log",
      "--no-walk=unsorted",
      "--stdin",
      "-z",
      "--format=tformat:%H%x00%T%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B",
    ],
    { input: `${shas.join("\n")}\n` },
  );
  const fields = output.split("\0");
  const commits: CommitRecord[] = [];
  for (let at = 0; at + FIELDS_PER_COMMIT <= fields.length; at += FIELDS_PER_COMMIT) {
    const field = (offset: number) => fields[at + offset] ?? "";
    commits.push({
      sha: field(0),
      tree: field(1),
      parents: field(2).split(" ").filter(Boolean),
      author: { name: field(3), email: field(4), date: Date.parse(field(5)) },
      committer: { name: field(6), email: field(7), date: Date.parse(field(8)) },
      message: field(9).trimEnd(),
    });
  }
  return commits;
}

/** The best common ancestor of two commits, or null for unrelated histories. */
export async function mergeBase(git: Git, folder: string, a: string, b: string): Promise<string | null> {
  const { status, output } = await git.attempt(folder, ["merge-base", a, b]);
  return status === 0 ? output.trim() : null;
}

/** True when `ancestor` is reachable from `descendant`. */
export async function isAncestor(
  git: Git,
  folder: string,
  pair: { ancestor: string; descendant: string },
): Promise<boolean> {
  const { status } = await git.attempt(folder, [
    "merge-base",
    "--is-ancestor",
    pair.ancestor,
    pair.descendant,
  ]);
  return status === 0;
}

/** The tree of a merge without conflicts, or null. */
export async function mergeTree(
  git: Git,
  folder: string,
  base: string,
  head: string,
): Promise<string | null> {
  const { status, output } = await git.attempt(folder, ["merge-tree", "--write-tree", base, head]);
  return status === 0 ? output.trim() : null;
}

/** One entry of a tree. */
export interface TreeEntry {
  mode: string;
  type: "blob" | "tree" | "commit";
  sha: string;
  /** Null for what is no blob. */
  size: number | null;
  path: string;
}

/** The entries of a tree; null when the revision has no such tree. */
export async function readTree(
  git: Git,
  folder: string,
  tree: string,
  recursive: boolean,
): Promise<TreeEntry[] | null> {
  const { status, output } = await git.attempt(folder, [
    "ls-tree",
    "-z",
    "-l",
    ...(recursive ? ["-r", "-t"] : []),
    "--end-of-options",
    tree,
  ]);
  if (status !== 0) return null;
  return output
    .split("\0")
    .filter(Boolean)
    .map((line) => {
      const tab = line.indexOf("\t");
      const [mode = "", type = "", sha = "", size = "-"] = line.slice(0, tab).split(/\s+/);
      return {
        mode,
        type: type === "tree" || type === "commit" ? type : "blob",
        sha,
        size: size === "-" ? null : Number(size),
        path: line.slice(tab + 1),
      };
    });
}

/** The bytes of a blob. */
export function readBlob(git: Git, folder: string, sha: string): Promise<Buffer> {
  return git.bytes(folder, ["cat-file", "blob", sha]);
}
