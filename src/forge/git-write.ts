import { randomUUID } from "node:crypto";
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Signature } from "./git-read.js";
import type { Git } from "./git.js";

/**
 * What GitHub checks before it takes a push: protected branches, and workflow files from an App without the permission for
 * them. The forge says through the environment whom it is dealing with.
 */
const PRE_RECEIVE = `#!/bin/sh
while read -r old new ref; do
  case "\n$FORGE_PROTECTED_REFS\n" in *"\n$ref\n"*)
    echo "error: GH006: Protected branch update failed for $ref." >&2
    echo "error: Changes must be made through a pull request." >&2
    exit 1 ;;
  esac
  case "$new" in *[!0]*) ;; *) continue ;; esac
  if [ -n "$FORGE_WITHOUT_WORKFLOWS" ]; then
    file=$(git log --format= --name-only "$new" --not --all -- .github/workflows | head -n 1)
    if [ -n "$file" ]; then
      echo "refusing to allow a GitHub App to create or update workflow \\\`$file\\\` without \\\`workflows\\\` permission" >&2
      exit 1
    fi
  fi
done
`;

const SETTINGS = `[http]
\treceivepack = true
[uploadpack]
\tallowFilter = true
\tallowAnySHA1InWant = true
[receive]
\thideRefs = refs/pull
[gc]
\tauto = 0
`;

/** Makes an empty bare repository that is served as GitHub serves its own. */
export async function initBare(git: Git, folder: string, defaultBranch: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await git.text(folder, ["init", "--quiet", "--bare", `--initial-branch=${defaultBranch}`, "."]);
  await appendFile(join(folder, "config"), SETTINGS);
  await mkdir(join(folder, "hooks"), { recursive: true });
  await writeFile(join(folder, "hooks", "pre-receive"), PRE_RECEIVE, { mode: 0o755 });
}

/** One commit on a branch: made on top of `parent`, or as a root. Gives its SHA. */
export async function commitFiles(
  git: Git,
  folder: string,
  commit: {
    branch: string;
    parent: string | null;
    files: Record<string, string | null>;
    message: string;
    author: Signature;
  },
): Promise<string> {
  const seconds = Math.floor(commit.author.date / 1000);
  const parts = [
    `commit refs/heads/${commit.branch}\n`,
    `committer ${commit.author.name} <${commit.author.email}> ${seconds} +0000\n`,
    text(commit.message),
    commit.parent === null ? "" : `from ${commit.parent}\n`,
  ];
  for (const [path, content] of Object.entries(commit.files))
    parts.push(content === null ? `D ${quote(path)}\n` : `M 100644 inline ${quote(path)}\n${text(content)}`);
  await git.text(folder, ["fast-import", "--quiet", "--force", "--date-format=raw"], {
    input: parts.join(""),
  });
  return (await git.text(folder, ["rev-parse", `refs/heads/${commit.branch}`])).trim();
}

/** Writes a commit object; no ref moves. */
export async function writeCommit(
  git: Git,
  folder: string,
  commit: { tree: string; parents: string[]; message: string; author: Signature; committer: Signature },
): Promise<string> {
  const date = (signature: Signature) => `${Math.floor(signature.date / 1000)} +0000`;
  const output = await git.text(
    folder,
    ["commit-tree", commit.tree, ...commit.parents.flatMap((parent) => ["-p", parent]), "-F", "-"],
    {
      input: commit.message,
      environment: {
        GIT_AUTHOR_NAME: commit.author.name,
        GIT_AUTHOR_EMAIL: commit.author.email,
        GIT_AUTHOR_DATE: date(commit.author),
        GIT_COMMITTER_NAME: commit.committer.name,
        GIT_COMMITTER_EMAIL: commit.committer.email,
        GIT_COMMITTER_DATE: date(commit.committer),
      },
    },
  );
  return output.trim();
}

/** Stores bytes as a blob. */
export async function writeBlob(git: Git, folder: string, content: Buffer | string): Promise<string> {
  return (await git.text(folder, ["hash-object", "-w", "--stdin"], { input: content })).trim();
}

/** A tree made of another one and changed entries; an entry without SHA is taken out. */
export async function writeTree(
  git: Git,
  folder: string,
  base: string | null,
  entries: { path: string; mode: string; sha: string | null }[],
): Promise<string> {
  const index = join(folder, `index-${randomUUID()}`);
  const environment = { GIT_INDEX_FILE: index };
  try {
    await git.text(folder, ["read-tree", base ?? "--empty"], { environment });
    const input = entries
      .map(({ path, mode, sha }) => `${sha === null ? "0" : mode} ${sha ?? "0".repeat(40)}\t${path}\0`)
      .join("");
    await git.text(folder, ["update-index", "-z", "--index-info"], { environment, input });
    return (await git.text(folder, ["write-tree"], { environment })).trim();
  } finally {
    await rm(index, { force: true });
  }
}

/** Moves a ref, if it is still where it was; an all-zero SHA creates or deletes. */
export async function moveRef(
  git: Git,
  folder: string,
  move: { ref: string; before: string; after: string },
): Promise<void> {
  await git.text(folder, ["update-ref", "--stdin", "-z"], {
    input: `update ${move.ref}\0${move.after}\0${move.before}\0`,
  });
}

function text(content: string): string {
  return `data ${Buffer.byteLength(content)}\n${content}\n`;
}

function quote(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
