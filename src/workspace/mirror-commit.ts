import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { AccrueError } from "../shared/index.js";
import type { Repository } from "./repository.js";

const ABSENT = "0".repeat(40);

/** Makes a commit from a tree on top of parents, by the bot. */
export async function commitTree(
  repository: Repository,
  input: { tree: string; parents: readonly string[]; message: string },
): Promise<string> {
  const parents = input.parents.flatMap((parent) => ["-p", parent]);
  const written = await repository.git(["commit-tree", input.tree, ...parents, "-F", "-"], {
    input: `${input.message.trimEnd() || "(no message)"}\n`,
    identity: repository.author(),
  });
  return written.trim();
}

/** Writes and deletes files on top of a commit without a checkout; gives the parent back when that changes nothing. */
export async function commitFiles(
  repository: Repository,
  input: {
    parent: string;
    writes: ReadonlyMap<string, string | null>;
    message: string;
    follows?: string | undefined;
  },
): Promise<string> {
  const tree = await writeFiles(repository, input.parent, input.writes);
  const before = (await repository.git(["rev-parse", `${input.parent}^{tree}`])).trim();
  if (tree === before && input.follows === undefined) return input.parent;
  const parents = [input.parent, ...(input.follows === undefined ? [] : [input.follows])];
  return commitTree(repository, { tree, parents, message: input.message });
}

/** The tree that comes of writing and deleting files in another one, which is a commit or a tree. */
export async function writeFiles(
  repository: Repository,
  onto: string,
  writes: ReadonlyMap<string, string | null>,
): Promise<string> {
  const indexFile = join(repository.gitDir, `index.${randomBytes(6).toString("hex")}`);
  try {
    await repository.git(["read-tree", onto], { indexFile });
    const executable = await executables(repository, indexFile);
    const entries: string[] = [];
    for (const [path, content] of writes) {
      if (content === null) {
        entries.push(`0 ${ABSENT}\t${path}`);
        continue;
      }
      const id = await repository.git(["hash-object", "-w", "--stdin"], {
        input: Buffer.from(content, "utf8"),
      });
      entries.push(`${executable.has(path) ? "100755" : "100644"} ${id.trim()}\t${path}`);
    }
    if (entries.length > 0) {
      const listed = `${entries.join("\0")}\0`;
      const updated = await repository.attempt(["update-index", "-z", "--index-info"], {
        indexFile,
        input: listed,
      });
      // Git leaves a path out that it does not allow, and ends well.
      if (updated.exitCode !== 0 || updated.stderr !== "") throw notWritten(updated.stderr);
    }
    return (await repository.git(["write-tree"], { indexFile })).trim();
  } finally {
    await rm(indexFile, { force: true });
  }
}

function notWritten(words: string): AccrueError {
  return new AccrueError(
    "INPUT_INVALID",
    `A path cannot be in a commit: ${words.trim()}. Choose another path.`,
  );
}

async function executables(repository: Repository, indexFile: string): Promise<Set<string>> {
  const entries = (await repository.git(["ls-files", "-z", "--stage"], { indexFile })).split("\0");
  const marked = entries.filter((entry) => entry.startsWith("100755 "));
  return new Set(marked.map((entry) => entry.slice(entry.indexOf("\t") + 1)));
}
