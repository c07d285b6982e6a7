import type { Octokit } from "octokit";
import { clipMarkdown, messageOf } from "../shared/index.js";
import { accountOf } from "./accounts.js";
import { createOnce, type Door, PAGE_SIZE } from "./door.js";
import { attempt, hasStatus, isLocked } from "./errors.js";
import { reviewCommentsOf } from "./review-comments.js";
import type { Comment, GitHubPort, Reaction, ReactionTarget, ThumbUp } from "./types.js";

type Json = Awaited<ReturnType<Octokit["rest"]["issues"]["createComment"]>>["data"];

// GitHub refuses more than 65,536 characters.
const MAX_COMMENT = 65_000;

/** Comments and reactions of issues and pull requests. */
export function createComments(
  door: Door,
): Pick<GitHubPort, "comments" | "reviewComments" | "react" | "thumbsUp" | "upsertComment" | "addComment"> {
  // Where the living comments are, so that each of their many edits is one request.
  const living = new Map<string, Json>();
  return {
    comments: (number) =>
      attempt(`list the comments of #${number}`, async () => {
        const all: Comment[] = [];
        for await (const page of pagesOf(door, number)) all.push(...page.data.map(commentOf));
        return all;
      }),
    reviewComments: (number) =>
      attempt(`list the review comments of #${number}`, () => reviewCommentsOf(door, number)),
    react: (target, reaction) =>
      attempt(`react to ${nameOf(target)}`, async () => {
        await unlessLocked(door, nameOf(target), () => send(door, target, reaction));
      }),
    thumbsUp: (comment) => attempt(`read who likes comment ${comment}`, () => thumbsUpOf(door, comment)),
    upsertComment: (number, marker, text) =>
      attempt(`write the comment ${marker} on #${number}`, async () => {
        const body = marked(marker, text);
        const key = `${number} ${marker}`;
        const found = living.get(key) ?? (await find(door, number, marker));
        const written = await unlessLocked(
          door,
          `#${number}`,
          async () =>
            (found && (await update(door, found, body))) ?? (await createAlone(door, number, marker, body)),
        );
        if (written) living.set(key, written);
        return written && commentOf(written);
      }),
    addComment: (number, marker, text, retry) =>
      attempt(`write a comment on #${number}`, async () => {
        const found = retry ? await onlyOne(door, number, marker) : null;
        if (found) return commentOf(found);
        const body = marked(marker, text);
        const make = retry ? createAlone : create;
        const written = await unlessLocked(door, `#${number}`, () => make(door, number, marker, body));
        return written && commentOf(written);
      }),
  };
}

function pagesOf({ octokit, repo }: Door, number: number) {
  const query = { ...repo, issue_number: number, per_page: PAGE_SIZE };
  return octokit.paginate.iterator(octokit.rest.issues.listComments, query);
}

/** Our comments with this marker, oldest first. */
async function* ownComments(door: Door, number: number, marker: string): AsyncGenerator<Json> {
  const { appId, login } = await door.authorship();
  const isOwn = (comment: Json) =>
    appId === null ? comment.user?.login === login : comment.performed_via_github_app?.id === appId;
  for await (const page of pagesOf(door, number)) {
    // Anybody can copy a marker into a comment, so the author decides as well.
    yield* page.data.filter((comment) => comment.body?.includes(marker) && isOwn(comment));
  }
}

async function find(door: Door, number: number, marker: string): Promise<Json | null> {
  for await (const comment of ownComments(door, number, marker)) return comment;
  return null;
}

/** The oldest of our comments with this marker; others, which a process that died had sent already, are deleted. */
async function onlyOne(door: Door, number: number, marker: string): Promise<Json | null> {
  const all: Json[] = [];
  for await (const comment of ownComments(door, number, marker)) all.push(comment);
  const [first = null, ...others] = all;
  for (const other of others) await remove(door, other);
  return first;
}

async function remove({ octokit, repo }: Door, comment: Json): Promise<void> {
  try {
    await octokit.rest.issues.deleteComment({ ...repo, comment_id: comment.id });
  } catch (error) {
    // Whoever else saw two of them was faster.
    if (!hasStatus(error, 404)) throw error;
  }
}

/** What was sent before a crash can arrive after we looked for it, so that we look once more when ours is there. */
async function createAlone(door: Door, number: number, marker: string, body: string): Promise<Json> {
  const made = await create(door, number, marker, body);
  const first = (await onlyOne(door, number, marker)) ?? made;
  return first.id === made.id ? made : ((await update(door, first, body)) ?? made);
}

async function create(door: Door, number: number, marker: string, body: string): Promise<Json> {
  const { octokit, repo } = door;
  return await createOnce(
    door.patience,
    () => find(door, number, marker),
    async () => (await octokit.rest.issues.createComment({ ...repo, issue_number: number, body })).data,
  );
}

async function update({ octokit, repo }: Door, found: Json, body: string): Promise<Json | null> {
  if (found.body?.trim() === body.trim()) return found;
  try {
    return (await octokit.rest.issues.updateComment({ ...repo, comment_id: found.id, body })).data;
  } catch (error) {
    // Somebody deleted it in the meantime.
    if (hasStatus(error, 404)) return null;
    throw error;
  }
}

/** Locked conversations refuse the app for good; the work goes on, and the reason is in the log. */
async function unlessLocked<T>(door: Door, where: string, write: () => Promise<T>): Promise<T | null> {
  try {
    return await write();
  } catch (error) {
    if (!isLocked(error)) throw error;
    door.log.warn(
      { ...door.repo, where, said: messageOf(error) },
      "The conversation is locked: nothing was written there",
    );
    return null;
  }
}

async function send({ octokit, repo }: Door, target: ReactionTarget, content: Reaction): Promise<void> {
  const { reactions } = octokit.rest;
  switch (target.kind) {
    case "issue":
      await reactions.createForIssue({ ...repo, issue_number: target.number, content });
      return;
    case "comment":
      await reactions.createForIssueComment({ ...repo, comment_id: target.id, content });
      return;
    case "review-comment":
      await reactions.createForPullRequestReviewComment({ ...repo, comment_id: target.id, content });
  }
}

function nameOf(target: ReactionTarget): string {
  return target.kind === "issue" ? `#${target.number}` : `${target.kind} ${target.id}`;
}

/** The marker comes first, so that no cut can take it away. */
function marked(marker: string, text: string): string {
  return clipMarkdown(`${marker}\n${text.replaceAll(marker, "").trimStart()}`, MAX_COMMENT);
}

function commentOf(json: Json): Comment {
  return {
    id: json.id,
    body: json.body ?? "",
    author: accountOf(json.user),
    appId: json.performed_via_github_app?.id ?? null,
    createdAt: json.created_at,
    updatedAt: json.updated_at,
    url: json.html_url,
    thumbsUp: json.reactions?.["+1"] ?? 0,
  };
}

async function thumbsUpOf({ octokit, repo }: Door, comment: number): Promise<ThumbUp[]> {
  const query = { ...repo, comment_id: comment, content: "+1" as const, per_page: PAGE_SIZE };
  const found = await octokit.paginate(octokit.rest.reactions.listForIssueComment, query);
  return found
    .map(({ id, user, created_at: at }) => ({ id, by: accountOf(user), at }))
    .sort((a, b) => a.id - b.id);
}
