import { commitTree, writeFiles } from "./mirror-commit.js";
import type { Repository } from "./repository.js";
import type { MergeResult } from "./types.js";

/** Merges two commits in the bare repository; with `resolved`, what git cannot decide is what that says. */
export async function mergeCommits(
  repository: Repository,
  input: {
    ours: string;
    theirs: string;
    message: string;
    resolved?: ReadonlyMap<string, string | null>;
  },
): Promise<MergeResult> {
  const { ours, theirs, resolved } = input;
  const found = await repository.attempt(["merge-base", ours, theirs]);
  if (found.exitCode !== 0) return { kind: "unrelated" };
  const base = found.stdout.trim();
  if (base === theirs) return { kind: "merged", base, sha: ours };
  if (base === ours) return { kind: "merged", base, sha: theirs };
  // What somebody decides is decided for paths as they are: a new file does not follow a folder that the other side emptied.
  const exact = resolved === undefined ? [] : ["-c", "merge.directoryRenames=false"];
  const args = [...exact, "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs];
  const { exitCode, stdout } = await repository.attempt(args);
  const [merged = "", ...paths] = stdout.split("\0").filter(Boolean);
  if (exitCode > 1) return { kind: "unrelated" };
  const open = paths.filter((path) => !resolved?.has(path));
  if (open.length > 0) return { kind: "conflict", base, paths: [...new Set(paths)] };
  const tree = !resolved?.size ? merged : await writeFiles(repository, merged, resolved);
  const sha = await commitTree(repository, { tree, parents: [ours, theirs], message: input.message });
  return { kind: "merged", base, sha };
}
