import type { Git, GitRun } from "./types.js";

/** One commit of the past. */
export interface HistoryCommit {
  /** Commit id. */
  sha: string;
  /** Subject and body. */
  message: string;
  /** Paths that it changed; of a merge, what it brought into the first parent's line. */
  files: string[];
}

const ENTRY = "\u0001";
const FILES = "\u0002";

/** The last commits of a line of history, newest first, at most `limit`. Empty when the revision is none. */
export async function listHistory(
  git: Pick<Git, "attempt">,
  { revision, limit }: { revision: string; limit: number },
  where: GitRun,
): Promise<HistoryCommit[]> {
  const format = "--format=%x01%H%n%B%x02";
  const shape = ["--first-parent", "-m", "--name-only", "--no-renames", "-z"];
  const args = ["log", ...shape, format, `-n${limit}`, "--end-of-options", revision, "--"];
  const { exitCode, stdout } = await git.attempt(args, where);
  if (exitCode !== 0) return [];
  return stdout
    .split(ENTRY)
    .slice(1)
    .map((entry) => {
      const start = entry.indexOf("\n");
      const end = entry.indexOf(FILES);
      // After the message, paths are set apart by NUL, the first by a line's end too.
      const paths = entry.slice(end + 1).split("\0");
      return {
        sha: entry.slice(0, start),
        message: entry.slice(start, end).trim(),
        files: paths.map((path) => path.replace(/^\n+/, "")).filter(Boolean),
      };
    });
}
