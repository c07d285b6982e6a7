/** The folder of a path; empty at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Joins a folder and a relative path; null when that leads out of the tree. */
export function joinPath(folder: string, relative: string): string | null {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/");
}

/** A folder and all around it, innermost first; the tree's top is the empty text. */
export function foldersUp(folder: string): string[] {
  const found = [folder];
  for (let at = folder; at !== ""; at = folderOf(at)) found.push(folderOf(at));
  return found;
}

/** The last part of a path without its extension. */
export function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.indexOf(".", 1);
  return dot < 0 ? name : name.slice(0, dot);
}
