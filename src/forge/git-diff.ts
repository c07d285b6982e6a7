import type { Git } from "./git.js";

/** How one file differs between two commits. */
export interface FileChange {
  path: string;
  /** The old path of a rename. */
  previousPath: string | null;
  status: "added" | "removed" | "modified" | "renamed";
  additions: number;
  deletions: number;
  /** The file's blob after the change; before it, for a removed file. */
  sha: string;
  /** From the first hunk on; null for binary files and pure renames. */
  patch: string | null;
}

const LETTERS: Record<string, FileChange["status"]> = { A: "added", D: "removed", R: "renamed" };

const COMMAND = ["diff-tree", "-r", "-M", "--no-ext-diff", "--no-textconv"];

/** The changed files between two commits or trees, in git's order, with renames found as GitHub does. */
export async function diffFiles(git: Git, folder: string, from: string, to: string): Promise<FileChange[]> {
  const [changes, patches] = await Promise.all([
    listChanges(git, folder, from, to),
    git.text(folder, [...COMMAND, "--patch", from, to]),
  ]);
  const sections = patches.split(/^diff --git .*$/m).slice(1);
  return changes.map((change, index) => ({ ...change, patch: patchOf(sections[index] ?? "") }));
}

/** The same without patches, for who only counts. */
export async function listChanges(
  git: Git,
  folder: string,
  from: string,
  to: string,
): Promise<Omit<FileChange, "patch">[]> {
  return parseListing(
    await git.text(folder, [...COMMAND, "--raw", "--numstat", "-z", "--no-abbrev", from, to]),
  );
}

/** A diff as text, as the API's diff media type gives it. */
export function diffText(git: Git, folder: string, from: string, to: string): Promise<Buffer> {
  return git.bytes(folder, [...COMMAND, "--patch", from, to]);
}

interface Paths {
  added: string[];
  removed: string[];
  modified: string[];
}

/** What one commit did to which paths, for the payload of a push. */
export async function pathsOfCommit(git: Git, folder: string, sha: string): Promise<Paths> {
  const output = await git.text(folder, [
    "diff-tree",
    "--root",
    "--no-commit-id",
    "--no-renames",
    "-r",
    "-z",
    "--name-status",
    sha,
  ]);
  const paths: Paths = { added: [], removed: [], modified: [] };
  const tokens = output.split("\0");
  for (let at = 0; at + 1 < tokens.length; at += 2) {
    const list = { A: paths.added, D: paths.removed }[tokens[at] ?? ""] ?? paths.modified;
    list.push(tokens[at + 1] ?? "");
  }
  return paths;
}

function patchOf(section: string): string | null {
  const at = section.search(/^@@ /m);
  return at < 0 ? null : section.slice(at).replace(/\n$/, "");
}

/** Reads git's `--raw --numstat -z`: first one raw entry per file, then one count per file, in the same order. */
function parseListing(listing: string): Omit<FileChange, "patch">[] {
  const tokens = listing.split("\0");
  const changes: Omit<FileChange, "patch">[] = [];
  let at = 0;
  const take = () => tokens[at++] ?? "";
  while (tokens[at]?.startsWith(":")) {
    const [, , before = "", after = "", letter = ""] = take().split(" ");
    const status = LETTERS[letter.charAt(0)] ?? "modified";
    const first = take();
    changes.push({
      path: status === "renamed" ? take() : first,
      previousPath: status === "renamed" ? first : null,
      status,
      additions: 0,
      deletions: 0,
      sha: status === "removed" ? before : after,
    });
  }
  for (const change of changes) {
    const [added = "", deleted = "", name = ""] = take().split("\t");
    if (name === "") at += 2;
    // A binary file is counted as "-".
    change.additions = Number(added) || 0;
    change.deletions = Number(deleted) || 0;
  }
  return changes;
}
