import { AccrueError } from "../shared/index.js";

/** Links that are followed inside the workspace before a path counts as going round in circles. */
const LINK_LIMIT = 16;

/** The parts of a path inside the workspace. Rejects what leaves it and what is git's. */
export function partsOf(path: string): string[] {
  if (path.startsWith("/") || path.includes("\0")) throw outside(path);
  const parts = joinParts([], path);
  if (parts === null) throw outside(path);
  if (parts.some((part) => part.toLowerCase() === ".git")) {
    throw new AccrueError("INPUT_INVALID", `${path} belongs to git: it cannot be read or written as a file.`);
  }
  if (parts.length === 0) {
    throw new AccrueError("INPUT_INVALID", `"${path}" names no file: give a path inside the workspace.`);
  }
  return parts;
}

/** Follows a link's text from the folder it lies in; null when that leaves the workspace. */
export function joinParts(folder: readonly string[], target: string): string[] | null {
  if (target.startsWith("/")) return null;
  const parts = [...folder];
  for (const part of target.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts;
}

/** Counts followed links and rejects when there are too many. */
export function createLinkBudget(path: string): () => void {
  let followed = 0;
  return () => {
    followed += 1;
    if (followed > LINK_LIMIT) {
      throw new AccrueError(
        "INPUT_INVALID",
        `${path} goes through more than ${LINK_LIMIT} links: name the file itself.`,
      );
    }
  };
}

/** The error of a path that would leave the workspace. */
export function outside(path: string): AccrueError {
  return new AccrueError(
    "PATH_OUTSIDE",
    `${path} lies outside of the workspace: give a relative path inside it.`,
  );
}
