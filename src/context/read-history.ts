import type { Git } from "../git/index.js";
import type { PastCommit } from "./types.js";

/** Reads the first-parent history of a checkout, newest first; empty where nothing is committed yet. */
export async function readHistory(
  git: Pick<Git, "run">,
  folder: string,
  limit: number,
  signal: AbortSignal,
): Promise<PastCommit[]> {
  const places = { folder, signal };
  const isBorn = await git.run(["rev-list", "-n", "1", "--all"], places);
  if (isBorn.trim() === "") return [];
  const log = await git.run(
    ["log", "--first-parent", "-m", "--name-only", "-z", `-n${limit}`, "--format=%x01%B%x02"],
    places,
  );
  return log.split("\u0001").flatMap((entry) => {
    const end = entry.indexOf("\u0002");
    if (end < 0) return [];
    const files = entry.slice(end + 1).split("\0");
    return [{ message: entry.slice(0, end), files: files.map((file) => file.trim()).filter(Boolean) }];
  });
}
