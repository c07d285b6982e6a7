import type { Git, GitRun } from "./types.js";

/** One file of a checkout: relative path with `/`, and git's id of its content where the checkout holds what git knows. */
export interface ListedFile {
  path: string;
  /** Null when the content differs from what git knows, or git knows none. */
  blob: string | null;
}

const LINK = "120000";
const SUBMODULE = "160000";
const STATUS = ["status", "--porcelain=v1", "-z", "-uall", "--no-renames", "--ignore-submodules"];

/**
 * The files of a checkout, tracked ones and new ones that are not ignored, sorted; no links, no submodules, nothing deleted.
 * Contract: `folder` is the top of the checkout. Reads no file that git holds for unchanged.
 */
export async function listTree(git: Pick<Git, "run">, checkout: GitRun): Promise<ListedFile[]> {
  const [listed, status] = await Promise.all([
    git.run(["ls-files", "-s", "-z"], checkout),
    git.run(STATUS, checkout),
  ]);
  const files = new Map<string, string | null>();
  for (const entry of split(listed)) {
    // `<mode> <blob> <stage>\t<path>`
    const tab = entry.indexOf("\t");
    const [mode = "", blob = "", stage] = entry.slice(0, tab).split(" ");
    if (mode === LINK || mode === SUBMODULE) continue;
    files.set(entry.slice(tab + 1), stage === "0" ? blob : null);
  }
  for (const entry of split(status)) {
    const path = entry.slice(3);
    const inCheckout = entry[1];
    // A folder is another repository inside this one.
    if (inCheckout === " " || path.endsWith("/")) continue;
    if (inCheckout === "D") files.delete(path);
    // What became a file where a link or submodule was is listed too; who reads it finds out.
    else files.set(path, null);
  }
  return [...files]
    .map(([path, blob]) => ({ path, blob }))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function split(listed: string): string[] {
  return listed.split("\0").filter(Boolean);
}
