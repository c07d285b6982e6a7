import type { FilePast, HistoryCommit, TreeEntry } from "../git/index.js";
import type { RepositoryRef } from "../shared/index.js";

/** Where a repository is cloned from and pushed to. */
export interface Remote {
  /** `http(s)://…/owner/name.git` or, for a local repository, its absolute path. Never holds a credential. */
  url: string;
  /** A fresh `Authorization` header value for exactly one git command, or null where none is needed. */
  authorization(): Promise<string | null>;
}

/** Who commits, such as `accrue[bot] <1+accrue[bot]@users.noreply.github.com>`. */
export interface Identity {
  name: string;
  email: string;
}

/** One changed path between two commits or between HEAD and the work tree. */
export interface Change {
  path: string;
  status: "added" | "modified" | "deleted";
  /** Git mode of the new side, such as `100644`, `120000`; `000000` when deleted. */
  mode: string;
}

/** What became of a push. Nothing is ever forced. */
export type PushResult =
  | { kind: "pushed"; branch: string; sha: string }
  /** Somebody else moved the branch and the merge had a conflict: the work went to a branch beside it. */
  | { kind: "pushed-beside"; branch: string; sha: string; reason: string }
  /** `protected`, `denied`, `workflow-permission`, `gone`, …: a sentence for people in `message`. */
  | { kind: "refused"; reason: string; message: string };

/** Two lines of history put together, or where that needs somebody who knows what is meant. */
export type MergeResult =
  /** `sha` is `ours` or `theirs` itself where one holds the other; `base` is the commit that both come from. */
  | { kind: "merged"; base: string; sha: string }
  | { kind: "conflict"; base: string; paths: string[] }
  | { kind: "unrelated" };

/** A bare mirror of one repository: git without a checkout. Contract: rejects with `GIT_FAILED` errors. */
export interface Mirror {
  readonly repository: RepositoryRef;
  /** Brings all branches (and `refs/pull/<n>/head` when asked for) up to date. */
  fetch(options: { pull?: number }, signal: AbortSignal): Promise<void>;
  /** Commit id of a branch on the remote as last fetched, or of any revision; null if there is none. */
  resolve(revision: string): Promise<string | null>;
  /** Branches whose names begin so; with `beyond`, only those that have commits which that one has not. */
  branches(prefix: string, beyond?: string): Promise<{ name: string; sha: string }[]>;
  /**
   * Text files of a commit below the given prefixes (`context/`), path → content, if asked only those that end so (`.md`). Binary and
   * over-large files are left out.
   */
  readFiles(revision: string, prefixes: readonly string[], ending?: string): Promise<Map<string, string>>;
  changes(from: string, to: string): Promise<Change[]>;
  /** The last commits up to a revision along its first parents, newest first. */
  history(revision: string, limit: number): Promise<HistoryCommit[]>;
  /** How the files of a revision were called before, and what they said. */
  past(revision: string): FilePast;
  /** Unified diff with a merge base: what a pull request of `to` into `from` shows. */
  diff(from: string, to: string): Promise<string>;
  /** Number of commits that `to` has and `from` has not. */
  ahead(from: string, to: string): Promise<number>;
  /** A commit on top of `parent` that writes (string) or deletes (null) files; no checkout. */
  commit(input: {
    parent: string;
    writes: ReadonlyMap<string, string | null>;
    message: string;
    /** A commit that becomes a parent too, without its files: so that a branch which stands there can go on. */
    follows?: string;
  }): Promise<string>;
  /** Puts two lines of history together without a checkout, as GitHub would. `resolved` says what stands at its paths, whatever git makes of them. */
  merge(input: {
    ours: string;
    theirs: string;
    message: string;
    resolved?: ReadonlyMap<string, string | null>;
  }): Promise<MergeResult>;
  /** E-mail addresses of those who wrote the commits that `to` has and `from` has not; merges and each address once. */
  authors(from: string, to: string): Promise<string[]>;
  /**
   * Plain push of a commit to a branch. `create` refuses when the branch exists; `onto` when its tip is another commit, also an
   * older one. Contract: `onto` is an ancestor of `sha`.
   */
  push(
    input: { sha: string; branch: string; create: boolean; onto?: string },
    signal: AbortSignal,
  ): Promise<PushResult>;
}

/** A command's end, as observed. */
export interface CommandResult {
  /** Null when it was killed by a signal or by the time limit. */
  exitCode: number | null;
  /** stdout and stderr as they came, cut in the middle above a limit. */
  output: string;
  timedOut: boolean;
  durationMs: number;
}

export interface CommandRequest {
  /** A shell command line, run by `bash -c` or `sh -c` inside the box. */
  command: string;
  timeoutMs: number;
  /** Hosts (`registry.npmjs.org`) that may be reached through the box's proxy; empty: no network. */
  network?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Folder inside the workspace; default its root. */
  folder?: string;
  /** What the command reads on its standard input; without it there is none. */
  stdin?: string;
}

/** Where the agent's commands run: without credentials, and without network unless allowed. */
export interface Box {
  /** `bwrap` or, only where it was asked for explicitly, `none`. */
  readonly level: "bwrap" | "none";
  /** Contract: rejects only with the signal's reason or `SANDBOX_UNAVAILABLE`; a failing command is a result. */
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandResult>;
}

/** Reads and writes files of a workspace; never follows a link out of it. Paths are relative, with `/`. */
export interface Files {
  /** Null when there is no such file. Rejects with `PATH_OUTSIDE` or `INPUT_INVALID` (folder, device, too large). */
  read(path: string): Promise<Buffer | null>;
  /** Atomic; makes folders; keeps the mode of an existing file. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  remove(path: string): Promise<boolean>;
  /** Files (not folders, not `.git`), sorted, tracked or untracked but not ignored; `prefix` narrows to a folder. */
  list(prefix?: string): Promise<string[]>;
}

/** A run's checkout. The host's git folder lies outside of it, so nothing the agent does to `.git` matters. */
export interface Workspace {
  readonly path: string;
  readonly mirror: Mirror;
  readonly branch: string;
  readonly baseBranch: string;
  /** The commit that the branch started from (merge base with the base branch). */
  readonly baseSha: string;
  /** False when the branch existed on the remote already. */
  readonly isNew: boolean;
  readonly files: Files;
  readonly box: Box;
  /**
   * From now on the boxes of this checkout and of its copies show another one, read-only, as `/services/<name>`. Without
   * bubblewrap nothing is shown.
   */
  showBeside(name: string, path: string): void;
  /** The checkout's files with git's ids of those that are unchanged, without reading them. */
  tree(signal: AbortSignal): Promise<TreeEntry[]>;
  head(): Promise<string>;
  /** Work tree against HEAD. */
  changes(): Promise<Change[]>;
  /**
   * Commits the named paths, or everything that changed; null when there was nothing to commit. `review` looks at everything first,
   * may change files and says whether it did.
   */
  commit(
    input: { message: string } & (
      | { paths?: readonly string[] }
      | { review: (changes: readonly Change[]) => Promise<boolean> }
    ),
  ): Promise<string | null>;
  /** Throws uncommitted work away. */
  reset(): Promise<void>;
  /** Plain push; if the branch moved: fetch, merge, once more; on conflict to a branch beside it. */
  push(signal: AbortSignal): Promise<PushResult>;
  /** A copy of the checkout as it stands now, for an agent that works beside others. The same name replaces an older fork. */
  fork(name: string, signal: AbortSignal): Promise<Fork>;
  /** Removes the checkout. Safe to call twice. */
  close(): Promise<void>;
}

/** A copy of a checkout with files and a box of its own. */
export interface Fork {
  readonly files: Files;
  readonly box: Box;
  tree: Workspace["tree"];
  /** Looks at what changed here, beside whatever else goes on. Contract: nothing is written here afterwards. */
  seal(): Promise<SealedFork>;
  /** Removes the copy. Safe to call twice. */
  close(): Promise<void>;
}

/** What became of a fork. */
export interface SealedFork {
  /** Brings it into the checkout, uncommitted; a conflict leaves the checkout as it was. */
  adopt(): Promise<
    { kind: "adopted"; changes: Pick<Change, "path" | "status">[] } | { kind: "conflict"; message: string }
  >;
}

/** What the self-test of the sandbox found at start. */
export interface SandboxReport {
  level: "bwrap" | "none";
  usable: boolean;
  /** Which and why, a sentence for `doctor` and the demo. */
  reason: string;
  hint: string;
}

/** What setting up the target's dependencies did. */
export interface SetupResult {
  outcome: "passed" | "failed" | "not-run";
  reason: string;
  commands: { command: string; durationMs: number; output: string; exitCode: number | null }[];
  fromCache: boolean;
}

/** How commands are boxed: `auto` means bubblewrap or an error, never a silent step down. */
export interface SandboxOptions {
  level: "auto" | "bwrap" | "none";
  /** The user that commands run as when Accrue itself runs as root. */
  uid: number;
  /** Hosts that every command may reach, `host` (ports 80 and 443) or `host:port`. */
  network: readonly string[];
}

/** What the workspaces need to know of the machine. */
export interface WorkspacesOptions {
  /** The data folder, absolute. */
  data: string;
  /** The PATH for git and bubblewrap. */
  path: string;
  sandbox: SandboxOptions;
  /** The Node that runs us; the box gets the same. */
  nodePath: string;
  /** Our own user id. */
  uid: number;
}

/** All checkouts of this data folder. */
export interface Workspaces {
  /** The repository's mirror, made on first use and up to date. Rejects with `WORKSPACE_EMPTY` when nothing was committed yet. */
  mirror(
    input: { repository: RepositoryRef; remote: Remote; identity: Identity },
    signal: AbortSignal,
  ): Promise<Mirror>;
  /** A run's checkout. Contract: the same run id gives the same folder and its commits again, without uncommitted leftovers. */
  open(
    input: { mirror: Mirror; base: string; branch: string; run: string },
    signal: AbortSignal,
  ): Promise<Workspace>;
  /** Starts the box once and tells what it found; later calls repeat the answer. */
  sandbox(): Promise<SandboxReport>;
  /** Removes the checkouts of all runs but the named ones; answers with the ids that went. */
  sweep(keep: readonly string[]): Promise<string[]>;
}
