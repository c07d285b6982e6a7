import { isBook } from "./code.js";
import type { Run } from "./types.js";

const COMMITS_READ = 300;
const COMMITS_SHOWN = 15;

/** The last commits of the base that changed one of these files, one a line, newest first: where an investigator begins with history. */
export async function commitsTouching({ workspace }: Run, files: readonly string[]): Promise<string> {
  const commits = await workspace.mirror.history(workspace.baseSha, COMMITS_READ);
  return commits
    .filter((commit) => commit.files.some((path) => files.includes(path) && !isBook(path)))
    .slice(0, COMMITS_SHOWN)
    .map(({ sha, message, files: touched }) => {
      const [subject = ""] = message.split("\n");
      return `- ${sha.slice(0, 7)} ${subject} (${touched.filter((path) => files.includes(path)).join(", ")})`;
    })
    .join("\n");
}
