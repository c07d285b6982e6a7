import type { Comment, GitHubPort } from "../github/index.js";
import { isAccrueError, marker } from "../shared/index.js";
import { partsIn } from "./texts/parts.js";
import type { Doors } from "./types.js";

/** Ids whose boxes people ticked in our own list: anybody can copy its marker, only who may write here can edit it. */
export async function tickedParts(
  { port, self }: Pick<Doors, "port" | "self">,
  issue: number | null,
  requirement: string | null,
): Promise<string[]> {
  if (!port || issue === null || requirement === null) return [];
  const mark = marker("parts", requirement);
  const list = (await commentsOf(port, issue)).find(
    ({ body, author }) => author?.login === self && body.includes(mark),
  );
  return partsIn(list?.body ?? "").flatMap(({ id, done }) => (done ? [id] : []));
}

/** An issue that is gone has no list. */
async function commentsOf(port: GitHubPort, issue: number): Promise<Comment[]> {
  try {
    return await port.comments(issue);
  } catch (error) {
    if (isAccrueError(error, "GITHUB_MISSING")) return [];
    throw error;
  }
}
