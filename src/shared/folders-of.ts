/** The folders that a path lies in, the outermost first: `a/b/c.ts` is in `a` and `a/b`. */
export function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}
