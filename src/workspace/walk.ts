import { constants, existsSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink } from "node:fs/promises";
import { join } from "node:path";
import { AccrueError } from "../shared/index.js";
import { createLinkBudget, joinParts, outside, partsOf } from "./paths.js";

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** An open folder and a name in it: whatever happens to the path meanwhile, this folder stays the one that was checked. */
export interface Place {
  /** A path through the open folder. */
  path: string;
  /** The name within the workspace, links followed. */
  name: string;
  /** A path through the open folder to another name beside it. */
  beside(name: string): string;
}

/** What to do at the end of a walk. */
export interface WalkOptions {
  path: string;
  /** Make missing folders, and give each to this user (null: leave it). */
  makeFolders?: { owner: number | null };
  /** Follow a link that the last part is. */
  followLast: boolean;
}

/**
 * Walks to a path from the workspace's root, one open folder after the other, following only links that stay inside.
 * Null when a folder on the way does not exist.
 */
export async function walk<Result>(
  root: string,
  options: WalkOptions,
  visit: (place: Place) => Promise<Result>,
): Promise<Result | null> {
  const followed = createLinkBudget(options.path);
  let parts = partsOf(options.path);
  for (;;) {
    const step = await tryWalk(root, parts, options, visit);
    if (!("link" in step)) return step.result;
    followed();
    const target = joinParts(step.at, step.link);
    if (target === null) throw outside(options.path);
    parts = partsOf([...target, ...step.rest].join("/"));
  }
}

type Step<Result> = { result: Result | null } | { link: string; at: string[]; rest: string[] };

async function tryWalk<Result>(
  root: string,
  parts: readonly string[],
  options: WalkOptions,
  visit: (place: Place) => Promise<Result>,
): Promise<Step<Result>> {
  const through = folderPaths();
  let folder = await open(root, FOLDER);
  let folderPath = root;
  try {
    for (const [depth, part] of parts.entries()) {
      const beside = through(folder, folderPath);
      const isLast = depth === parts.length - 1;
      const link = isLast && !options.followLast ? null : await linkAt(beside(part));
      if (link !== null) return { link, at: parts.slice(0, depth), rest: parts.slice(depth + 1) };
      if (isLast) {
        return { result: await visit({ path: beside(part), name: parts.join("/"), beside }) };
      }
      const next = await enter(beside(part), options);
      if (next === null) return { result: null };
      await folder.close();
      folder = next;
      folderPath = join(folderPath, part);
    }
    return { result: null };
  } finally {
    await folder.close();
  }
}

/** On Linux a path through the descriptor cannot be redirected; elsewhere every part is at least checked on the way. */
function folderPaths(): (folder: FileHandle, path: string) => (name: string) => string {
  const hasDescriptors = existsSync("/proc/self/fd");
  return (folder, path) => (name) =>
    hasDescriptors ? `/proc/self/fd/${folder.fd}/${name}` : join(path, name);
}

async function linkAt(path: string): Promise<string | null> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : null;
  } catch (error) {
    // EINVAL: it was a link a moment ago; opening with O_NOFOLLOW decides.
    if (["ENOENT", "ENOTDIR", "EINVAL"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

async function enter(path: string, options: WalkOptions): Promise<FileHandle | null> {
  try {
    return await open(path, FOLDER);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && options.makeFolders) return makeFolder(path, options.makeFolders.owner);
    if (code === "ENOENT") return null;
    // A file on the way: there is nothing below it. A link put there since it was looked at is an attack.
    if (code === "ENOTDIR" && (await lstat(path)).isFile()) {
      if (!options.makeFolders) return null;
      throw new AccrueError("INPUT_INVALID", `${options.path} would lie below a file: choose another path.`);
    }
    throw code === "ELOOP" || code === "ENOTDIR" ? outside(options.path) : error;
  }
}

async function makeFolder(path: string, owner: number | null): Promise<FileHandle> {
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    // Two writes may want the same folder.
    if (error.code !== "EEXIST") throw error;
  });
  const folder = await open(path, FOLDER);
  if (owner !== null) await folder.chown(owner, owner);
  return folder;
}
