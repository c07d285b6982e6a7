import { posix } from "node:path";
import type { TreeEntry } from "../git/index.js";
import { AccrueError } from "../shared/index.js";
import type { RunFolders } from "./layout.js";
import { parseRawDiff, type RawChange } from "./raw-diff.js";
import type { Repository } from "./repository.js";
import type { Change } from "./types.js";

const GITLINK = "160000";
const SYMLINK = "120000";

/** Looks at what is about to be published; true when it changed files. */
export type Review = (changes: readonly Change[]) => Promise<boolean>;

/** A path of a checkout, as git lists it. */
interface Listed {
  path: string;
  /** Git's mode; null for a path that it does not track. */
  mode: string | null;
  isDeleted: boolean;
}

/** Git's index of one checkout. The agent's own `.git` files are never read: they could name programs to run. */
export interface Staging {
  git(args: readonly string[], input?: string): Promise<string>;
  /** Puts the work tree into the index and tells what differs from `head`; repositories inside the tree are only named. */
  stageAll(head: string): Promise<Change[]>;
  /**
   * The same, for all of it to be published; `review` may change files first and says whether it did. Rejects when it holds
   * something that must not be published.
   */
  stageForCommit(head: string, review?: Review): Promise<Change[]>;
  /** Puts only these paths into the index. Rejects when they hold something that must not be published. */
  stageOnly(head: string, chosen: readonly Change[]): Promise<void>;
  /** Regular files with git's ids of those that are unchanged. */
  tree(signal: AbortSignal): Promise<TreeEntry[]>;
  /** Tracked and new files, without ignored ones. */
  list(prefix: string): Promise<string[]>;
}

/** Opens the index of a checkout. */
export function createStaging(repository: Repository, folders: RunFolders): Staging {
  const where = { folder: folders.tree, workTree: folders.tree, indexFile: folders.index };
  const git = (args: readonly string[], input?: string) => repository.git(args, { ...where, input });
  const listed = async (...args: string[]) =>
    split(await git(["ls-files", "-z", "-t", "--stage", "--others", "--exclude-standard", ...args])).map(
      parseListed,
    );

  const add = (pathspecs: readonly string[], excluded: readonly string[]) => {
    const specs = [...pathspecs, ...excluded.map((path) => `:(exclude,literal)${path}`)];
    return git(["add", "-A", "--pathspec-from-file=-", "--pathspec-file-nul"], `${specs.join("\0")}\0`);
  };
  const staged = async (head: string) =>
    parseRawDiff(await git(["diff-index", "--cached", "--raw", "-z", "--no-renames", "--full-index", head]));

  const stage = async (head: string) => {
    const there = await listed();
    // A repository of its own inside the tree is listed as a folder.
    const nested = there
      .filter(({ path, mode }) => mode === null && path.endsWith("/"))
      .map(({ path }) => path.slice(0, -1));
    const links = gitlinksIn(there);
    // Git would look into a submodule's own configuration to see whether it changed.
    await add(["."], [...nested, ...links]);
    const raw = await staged(head);
    const found = raw.map(({ path, status, mode }): Change => ({ path, status, mode }));
    const repositories = nested.map((path): Change => ({ path, status: "added", mode: GITLINK }));
    return { raw, changes: [...found, ...repositories].sort((a, b) => (a.path < b.path ? -1 : 1)) };
  };

  return {
    git,
    tree: (signal) => repository.tree({ ...where, signal }),
    stageAll: async (head) => (await stage(head)).changes,
    stageForCommit: async (head, review) => {
      const first = await stage(head);
      const { raw, changes } = (await review?.(first.changes)) ? await stage(head) : first;
      refuseRepositories(changes);
      await refuseOutsideLinks(repository, raw);
      return changes;
    },
    stageOnly: async (head, chosen) => {
      refuseRepositories(chosen);
      await git(["read-tree", "--reset", head]);
      const deleted = chosen.filter((change) => change.status === "deleted").map((change) => change.path);
      const written = chosen.filter((change) => change.status !== "deleted");
      if (deleted.length > 0) {
        await git(["update-index", "--force-remove", "-z", "--stdin"], `${deleted.join("\0")}\0`);
      }
      if (written.length > 0)
        await add(
          written.map((change) => `:(literal)${change.path}`),
          gitlinksIn(await listed()),
        );
      await refuseOutsideLinks(repository, await staged(head));
    },
    list: async (prefix) => {
      const there = await listed("--deleted", ...(prefix ? ["--", `:(literal)${prefix}`] : []));
      const deleted = new Set(there.filter(({ isDeleted }) => isDeleted).map(({ path }) => path));
      const files = there
        .filter(({ path, mode }) => (mode === null ? !path.endsWith("/") : mode !== GITLINK))
        .map(({ path }) => path);
      return [...new Set(files)].filter((path) => !deleted.has(path)).sort();
    },
  };
}

function split(text: string): string[] {
  return text.split("\0").filter(Boolean);
}

/** `? path`, or a tag, mode, id and stage before a tab and the path; `R` is a path that is gone from the tree. */
function parseListed(entry: string): Listed {
  const isTracked = !entry.startsWith("? ");
  return {
    path: isTracked ? entry.slice(entry.indexOf("\t") + 1) : entry.slice(2),
    mode: isTracked ? entry.slice(2, 8) : null,
    isDeleted: entry.startsWith("R "),
  };
}

function gitlinksIn(there: readonly Listed[]): string[] {
  return there.filter(({ mode }) => mode === GITLINK).map(({ path }) => path);
}

function refuseRepositories(changes: readonly Change[]): void {
  const found = changes.find((change) => change.mode === GITLINK);
  if (!found) return;
  const message = `${found.path} is a git repository of its own, which a commit cannot hold: delete ${found.path}/.git to commit its files, or delete or ignore the folder.`;
  throw new AccrueError("INPUT_INVALID", message);
}

/** A link out of the tree would show whoever checks the branch out another file of their own machine. */
async function refuseOutsideLinks(repository: Repository, changes: readonly RawChange[]): Promise<void> {
  const links = changes.filter((change) => change.mode === SYMLINK);
  const targets = await repository.blobs(links.map((link) => link.id));
  for (const { path, id } of links) {
    const target = targets.get(id)?.toString("utf8") ?? "";
    const lands = posix.normalize(posix.join(posix.dirname(path), target));
    if (!posix.isAbsolute(target) && lands !== ".." && !lands.startsWith("../")) continue;
    const message = `${path} is a link to ${target}, outside of the repository: link to a file inside, or delete it.`;
    throw new AccrueError("PATH_OUTSIDE", message);
  }
}
