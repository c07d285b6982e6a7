import type { Account, Comment, ReviewComment } from "../github/index.js";
import { spokenPart, visibleText } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import { lastFix } from "./last-fix.js";
import { ownWords } from "./own-words.js";
import type { Scene } from "./scene.js";
import type { EngineDeps } from "./types.js";
import { mayTrigger } from "./who-may.js";

/** Fewer letters than this beside a quote only comment on it: "Good point." */
const LEAST_OWN = 16;
/** A shorter quote may stand in any comment. */
const LEAST_QUOTE = 8;

/** What a person wants to be remembered: their own words, a comment that they point at, or the last fix of a run. */
export interface Remark {
  kind: "said" | "comment" | "fix";
  text: string;
  /** Login of whose words they are. */
  by: string;
  /** Address of where they stand. */
  source: string;
  /** `untrusted` when whoever wrote them may not write here. */
  trust: "bot" | "untrusted";
  /** Where in the code it was said; null when it was said of no line. */
  place: { path: string; line: number | null; hunk: string | null } | null;
  /** Code that it is about besides. */
  paths: string[];
  /** The run that saw the fix and the command that it made pass; null for words of people. */
  fixed: { run: string; command: string } | null;
}

/**
 * Finds out what an ask means: what is said with it, else the comment that it answers, else the last failure and its fix on this
 * pull request, else the nearest comment of a person above. Null when nothing fits: then a person has to be asked.
 */
export async function remarkOf(scene: Scene, deps: EngineDeps, mirror: Mirror): Promise<Remark | null> {
  const { ask, doors } = scene;
  const text = "text" in ask.intent ? ask.intent.text : "";
  const own = ownWords(text);
  const quotes = quotesIn(text);
  const hasQuote = quotes.length > 0;
  if (lettersOf(own) >= (hasQuote ? LEAST_OWN : 1)) return saidIn(scene, text);
  if (hasQuote) {
    const meant = await quoted(scene, quotes);
    if (meant) return meant;
  }
  if (!doors.port || !ask.thread) return null;
  const answered = await answeredInReview(scene);
  if (answered) return answered;
  if (ask.thread.isPull) {
    const fix = await lastFix(scene, deps, mirror);
    if (fix) {
      const { text, paths, run, command } = fix;
      return { ...saidIn(scene, text), kind: "fix", paths, fixed: { run, command } };
    }
  }
  return nearestComment(scene);
}

function saidIn({ ask }: Scene, text: string): Remark {
  const { comment, thread, actor } = ask;
  return {
    kind: "said",
    text,
    by: actor?.login ?? "unknown",
    source: comment?.url ?? thread?.url ?? "",
    trust: "bot",
    place: comment?.path ? { path: comment.path, line: comment.line, hunk: comment.diffHunk } : null,
    paths: [],
    fixed: null,
  };
}

/** The comment above in the same review thread. */
async function answeredInReview(scene: Scene): Promise<Remark | null> {
  const { ask, doors } = scene;
  const { comment, thread } = ask;
  if (comment?.kind !== "review-comment" || !thread || !doors.port) return null;
  const all = await doors.port.reviewComments(thread.number);
  const first = all.find(({ id }) => id === comment.id)?.replyTo ?? null;
  if (first === null) return null;
  const above = all.findLast(
    ({ id, replyTo, author, body }) =>
      (id === first || replyTo === first) && id < comment.id && isTheirs(scene, author) && !isEmpty(body),
  );
  return above ? remarkOfComment(scene, above) : null;
}

/** The comment that a quote is from: quoting is how one answers a comment of a conversation. */
async function quoted(scene: Scene, quotes: readonly string[]): Promise<Remark | null> {
  const wanted = plain(quotes.join("\n"));
  if (wanted.length < LEAST_QUOTE) return null;
  const above = await commentsAbove(scene);
  const found = above.findLast(
    ({ body, author }) => isTheirs(scene, author) && plain(visibleText(body)).includes(wanted),
  );
  return found ? { ...(await remarkOfComment(scene, found)), text: quotes.join("\n") } : null;
}

async function nearestComment(scene: Scene): Promise<Remark | null> {
  const above = await commentsAbove(scene);
  const nearest = above.findLast(
    ({ body, author }) =>
      author?.type === "User" && isTheirs(scene, author) && !isEmpty(body) && !speaksToUs(scene, body),
  );
  return nearest ? remarkOfComment(scene, nearest) : null;
}

async function commentsAbove({ ask, doors }: Scene): Promise<Comment[]> {
  const { comment, thread } = ask;
  if (!doors.port || !thread) return [];
  const all = await doors.port.comments(thread.number);
  // Comments of a conversation and of its reviews count apart.
  const isAbove = (other: Comment) =>
    comment === null
      ? true
      : comment.kind === "comment"
        ? other.id < comment.id
        : Date.parse(other.createdAt) <= Date.parse(ask.at);
  return all.filter(isAbove);
}

async function remarkOfComment(scene: Scene, comment: Comment | ReviewComment): Promise<Remark> {
  const { author, body, url } = comment;
  const isTrusted = author?.type === "User" && (await mayTrigger(scene, author.login));
  const place = "path" in comment ? { path: comment.path, line: comment.line, hunk: comment.diffHunk } : null;
  return {
    kind: "comment",
    text: body,
    by: author?.login ?? "unknown",
    source: url,
    trust: isTrusted ? "bot" : "untrusted",
    place,
    paths: [],
    fixed: null,
  };
}

function isTheirs({ doors }: Scene, author: Account | null): boolean {
  return author !== null && author.login !== doors.self;
}

/** An ask of the bot is no lesson. */
function speaksToUs({ settings, doors }: Scene, body: string): boolean {
  const spoken = spokenPart(body).toLowerCase();
  return [settings.mention, `@${doors.self}`].some((name) => spoken.includes(name.toLowerCase()));
}

function isEmpty(body: string): boolean {
  return lettersOf(ownWords(body)) === 0;
}

function quotesIn(text: string): string[] {
  return visibleText(text)
    .split("\n")
    .flatMap((line) => /^\s*>\s?(.*)$/.exec(line)?.[1] ?? [])
    .filter((line) => lettersOf(line) > 0);
}

/** Chinese says as much with half of the letters. */
function lettersOf(text: string): number {
  const han = [...text.matchAll(/\p{Script=Han}/gu)].length;
  return plain(text).length + han;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
