import type { Account } from "../github/index.js";
import { clipEnd, visibleText } from "../shared/index.js";
import type { Scene } from "./scene.js";

const MAX_COMMENTS = 4;
const MAX_COMMENT = 1500;
/** Living comments of ours show how things stand, and say nothing. */
const LIVING = /^<!-- accrue:(?:status|bill|parts|alert)\b/;

/** What was said last before a comment, on its line of the diff or on its thread: "why?" is asked of something. */
export async function saidAbove({ ask, doors }: Pick<Scene, "ask" | "doors">): Promise<string> {
  const { comment, thread } = ask;
  if (!doors.port || !thread || !comment) return "";
  if (comment.kind === "review-comment") {
    const all = await doors.port.reviewComments(thread.number);
    const first = all.find(({ id }) => id === comment.id)?.replyTo ?? null;
    return textOf(all.filter(({ id, replyTo }) => id < comment.id && (id === first || replyTo === first)));
  }
  const all = await doors.port.comments(thread.number);
  return textOf(all.filter(({ createdAt, id }) => id !== comment.id && createdAt <= ask.at));
}

function textOf(comments: readonly { body: string; author: Account | null }[]): string {
  return comments
    .filter(({ body }) => !LIVING.test(body))
    .slice(-MAX_COMMENTS)
    .map(
      ({ body, author }) => `@${author?.login ?? "ghost"}: ${clipEnd(visibleText(body).trim(), MAX_COMMENT)}`,
    )
    .join("\n\n");
}
