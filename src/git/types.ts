/** Where git keeps its own settings and where its program is found. */
export interface GitOptions {
  /** A folder of ours: git's HOME, with the only configuration file it reads outside of a repository. */
  home: string;
  /** The PATH that `git` is looked up in. */
  path: string;
}

/** Who is written into a commit, and when (milliseconds since 1970). */
export interface GitIdentity {
  name: string;
  email: string;
  at: number;
}

/** Where and how one git command runs. */
export interface GitRun {
  /** The working directory; must exist. */
  folder: string;
  /** The repository. Without it git looks for one from `folder` upwards. */
  gitDir?: string;
  workTree?: string;
  indexFile?: string;
  identity?: GitIdentity;
  /** One header for one origin, for this command only. It is never in an argument, a URL, a file or an error. */
  authorization?: { origin: string; header: string } | null;
  input?: string | Buffer;
  signal: AbortSignal;
}

/** How a git command ended. */
export interface GitResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Git as the rest of Accrue uses it. */
export interface Git {
  /** The command's stdout. Contract: rejects with `GIT_FAILED` unless it exits with 0. */
  run(args: readonly string[], options: GitRun): Promise<string>;
  /** The same for commands whose exit code is an answer: rejects only when git could not run or was stopped. */
  attempt(args: readonly string[], options: GitRun): Promise<GitResult>;
  /** The bytes of blobs, by object id. Ids that are no blob are left out. */
  readBlobs(ids: readonly string[], options: GitRun): Promise<Map<string, Buffer>>;
  /** Rejects with `INPUT_INVALID` when git itself does not accept the name for a branch. */
  checkBranchName(name: string, signal: AbortSignal): Promise<void>;
}
