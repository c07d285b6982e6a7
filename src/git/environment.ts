import { randomBytes } from "node:crypto";
import { lstat, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AccrueError } from "../shared/index.js";
import type { GitOptions, GitRun } from "./types.js";

/** The whole configuration that git reads besides the repository's own: no programs, no helpers, three protocols. */
const CONFIGURATION = `# Written by Accrue; changes are overwritten.
[core]
	hooksPath = /dev/null
	fsmonitor = false
	quotePath = false
	autocrlf = false
	attributesFile = /dev/null
	excludesFile = /dev/null
	pager = cat
	editor = false
	protectHFS = true
	protectNTFS = true
[protocol]
	allow = never
[protocol "http"]
	allow = always
[protocol "https"]
	allow = always
[protocol "file"]
	allow = always
[credential]
	helper =
[http]
	lowSpeedLimit = 1000
	lowSpeedTime = 60
[safe]
	directory = *
[init]
	defaultBranch = main
	templateDir =
[user]
	useConfigOnly = true
[fetch]
	recurseSubmodules = false
[push]
	recurseSubmodules = no
[submodule]
	recurse = false
[diff]
	ignoreSubmodules = all
[commit]
	gpgSign = false
[gc]
	autoDetach = false
[advice]
	detachedHead = false
	addEmbeddedRepo = false
[color]
	ui = false
`;

/** Writes git's own configuration into its home, so that two processes may do it at once. */
export async function prepareHome(home: string): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const path = join(home, ".gitconfig");
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, CONFIGURATION, { mode: 0o600 });
  try {
    await requireOwn(home, (await lstat(draft)).uid);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Whoever else can write here names programs that git runs as us; in a folder for everybody anybody may have made it first. */
async function requireOwn(home: string, self: number): Promise<void> {
  const [parent, own] = [await lstat(dirname(home)), await lstat(home)];
  const isForAll = (parent.mode & 0o002) !== 0;
  if (!isForAll || (own.isDirectory() && own.uid === self && (own.mode & 0o022) === 0)) return;
  const cure = "remove it, or set TMPDIR to a folder of your own";
  throw new AccrueError("WORKSPACE_FAILED", `${home} can be written by others: ${cure}.`);
}

/** The complete environment of one git command; nothing is inherited. */
export function environmentOf(options: GitOptions, run: GitRun): Record<string, string> {
  const environment: Record<string, string> = {
    PATH: options.path,
    HOME: options.home,
    LC_ALL: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: join(options.home, ".gitconfig"),
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_ALLOW_PROTOCOL: "http:https:file",
  };
  if (run.gitDir !== undefined) environment["GIT_DIR"] = run.gitDir;
  if (run.workTree !== undefined) environment["GIT_WORK_TREE"] = run.workTree;
  if (run.indexFile !== undefined) environment["GIT_INDEX_FILE"] = run.indexFile;
  if (run.identity) {
    const date = `${Math.floor(run.identity.at / 1000)} +0000`;
    for (const role of ["AUTHOR", "COMMITTER"]) {
      environment[`GIT_${role}_NAME`] = run.identity.name;
      environment[`GIT_${role}_EMAIL`] = run.identity.email;
      environment[`GIT_${role}_DATE`] = date;
    }
  }
  if (run.authorization) {
    environment["GIT_CONFIG_COUNT"] = "1";
    environment["GIT_CONFIG_KEY_0"] = `http.${run.authorization.origin}/.extraHeader`;
    environment["GIT_CONFIG_VALUE_0"] = `Authorization: ${run.authorization.header}`;
  }
  return environment;
}
