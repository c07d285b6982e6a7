import { appendFile, mkdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Git } from "../git/index.js";
import type { Ask } from "../orchestrator/index.js";
import { AccrueError, type Clock, isoTime } from "../shared/index.js";

/** A person's git repository on this machine. */
export interface LocalRepository {
  root: string;
  /** The branch that is checked out: work starts from its last commit. */
  branch: string;
  /** Name and e-mail of the person, as git knows them. */
  person: { name: string; email: string };
  /** Folder for mirrors, checkouts, ledger; ignored by git. */
  data: string;
  /** A file as it is committed on that branch, or null. */
  read(path: string): Promise<string | null>;
}

/** Finds the repository around a folder. Errors say what is missing. */
export async function findRepository(
  git: Git,
  folder: string,
  signal: AbortSignal,
): Promise<LocalRepository> {
  const ask = async (...args: string[]) => {
    const { exitCode, stdout } = await git.attempt(args, { folder, signal });
    return exitCode === 0 ? stdout.trim() : "";
  };
  const root = await ask("rev-parse", "--show-toplevel");
  if (!root)
    throw new AccrueError(
      "INPUT_INVALID",
      `${folder} is in no git repository: run \`git init\` and commit once, or name one with --repo.`,
    );
  const branch = await ask("symbolic-ref", "--short", "-q", "HEAD");
  if (!branch)
    throw new AccrueError(
      "INPUT_INVALID",
      `${root} has no branch checked out: run \`git switch <branch>\` first.`,
    );
  if (!(await ask("rev-parse", "-q", "--verify", "HEAD")))
    throw new AccrueError(
      "WORKSPACE_EMPTY",
      `${root} has no commit yet: make a first commit, then run again.`,
    );
  const person = {
    name: (await ask("config", "user.name")) || "unknown",
    email: (await ask("config", "user.email")) || "unknown@localhost",
  };
  const data = join(root, ".agent");
  await mkdir(data, { recursive: true });
  await exclude(join(root, await ask("rev-parse", "--git-path", "info/exclude")));
  const read = async (path: string) => {
    const { exitCode, stdout } = await git.attempt(["show", `${branch}:${path}`], { folder: root, signal });
    return exitCode === 0 ? stdout : null;
  };
  return { root, branch, person, data, read };
}

/** Keeps `.agent/` out of the person's sight without touching a tracked file. */
async function exclude(file: string): Promise<void> {
  const line = "/.agent/";
  await mkdir(dirname(file), { recursive: true });
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  if (text.split("\n").includes(line)) return;
  await appendFile(file, `${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`);
}

/** What a person typed, as the engine takes it: the same as from an issue, without a thread. */
export function localAsk(repository: LocalRepository, text: string, clock: Clock): Ask {
  const isContinue = /^REQ-[0-9A-Z-]+$/.test(text.trim());
  return {
    intent: isContinue ? { kind: "continue", text: text.trim(), merged: false } : { kind: "start", text },
    repository: {
      host: "local",
      owner: basename(dirname(repository.root)) || "root",
      name: basename(repository.root),
    },
    installation: null,
    defaultBranch: repository.branch,
    actor: { id: 0, login: repository.person.name, type: "User" },
    thread: null,
    comment: null,
    headRef: null,
    key: `local-${clock.now()}`,
    at: isoTime(clock.now()),
  };
}
