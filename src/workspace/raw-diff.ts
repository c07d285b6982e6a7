import type { Change } from "./types.js";

const STATUS: Record<string, Change["status"]> = { A: "added", D: "deleted" };

/** A change with the object it led to, as git's raw diff lists it. */
export interface RawChange extends Change {
  /** Object id of the new side. */
  id: string;
}

/** Reads `git diff-tree|diff-index --raw -z --no-renames`: `:<mode> <mode> <id> <id> <status>`, NUL, path, NUL. */
export function parseRawDiff(text: string): RawChange[] {
  const parts = text.split("\0");
  const changes: RawChange[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [, mode = "", , id = "", status = ""] = (parts[i] ?? "").split(" ");
    changes.push({ path: parts[i + 1] ?? "", status: STATUS[status] ?? "modified", mode, id });
  }
  return changes;
}
