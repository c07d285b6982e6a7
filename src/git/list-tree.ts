import type { Git, GitRun } from "./types.js";

/** One file of a work tree. */
export interface TreeEntry {
  /** Relative to the work tree, with `/`. */
  path: string;
  /** Git's id of its content; null when it differs from what git knows, or git does not know it. */
  blob: string | null;
}

const REGULAR = /^100(?:644|755)$/;
const STAGED = /^(\d+) ([0-9a-f]+) (\d)\t([^]+)$/;

/**
 * Lists a work tree without reading a file that git knows to be unchanged: tracked files and new ones that are not ignored.
 * Links, submodules and repositories inside the tree are left out.
 */
export async function listTree(git: Pick<Git, "run">, where: GitRun): Promise<TreeEntry[]> {
  const [staged, status] = await Promise.all([
    git.run(["ls-files", "--stage", "-z"], where),
    git.run(["status", "--porcelain=v1", "-z", "-uall", "--no-renames", "--ignore-submodules=all"], where),
  ]);
  const found = new Map<string, string | null>();
  for (const line of staged.split("\0")) {
    const [, mode = "", blob = "", stage = "", path = ""] = STAGED.exec(line) ?? [];
    // What a merge left open stands there up to three times; what counts is what is in the tree.
    if (REGULAR.test(mode)) found.set(path, stage === "0" ? blob : null);
  }
  for (const line of status.split("\0")) {
    const path = line.slice(3);
    if (path === "" || path.endsWith("/")) continue;
    // The first letter compares with HEAD, which says nothing about the work tree.
    const work = line.charAt(1);
    if (work === "D") found.delete(path);
    else if (work !== " " && (found.has(path) || work === "?")) found.set(path, null);
  }
  return [...found]
    .map(([path, blob]) => ({ path, blob }))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
