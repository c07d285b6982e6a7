const MAX_LENGTH = 400;

/**
 * A path as people write it, made one of the workspace: relative, without `./`. Null when it could lead anywhere else, or into
 * git's own folder. A trailing slash stays.
 */
export function workspacePath(written: string): string | null {
  const path = written.replace(/^(?:\.\/)+/, "");
  if (path === "" || path.length > MAX_LENGTH || /^[/~]|[\\\p{Cc}]/u.test(path)) return null;
  const parts = path.replace(/\/$/, "").split("/");
  const isOutside = parts.some(
    (part) => part === "" || part === "." || part === ".." || /^\.git$/i.test(part),
  );
  return isOutside ? null : path;
}
