import type { RepositoryRef } from "../shared/index.js";

/** A person's or bot's account as GitHub names it; null where GitHub says so (a deleted user). */
export interface Account {
  id: number;
  login: string;
  type: "User" | "Bot" | "Organization" | "Mannequin";
}

/** What a repository says about itself. */
export interface About {
  defaultBranch: string;
  /** In a sentence; empty when nobody wrote one. */
  description: string;
  isArchived: boolean;
  isFork: boolean;
}

/** What an account may do in a repository. */
export type Permission = "admin" | "maintain" | "write" | "triage" | "read" | "none";

export interface Issue {
  number: number;
  title: string;
  body: string;
  state: "open" | "closed";
  isPull: boolean;
  locked: boolean;
  labels: string[];
  author: Account | null;
  url: string;
}

export interface Comment {
  id: number;
  body: string;
  author: Account | null;
  /** The GitHub App that wrote it, or null. */
  appId: number | null;
  createdAt: string;
  updatedAt: string;
  url: string;
  /** How many 👍 it got. */
  thumbsUp: number;
}

/** That somebody likes a comment. */
export interface ThumbUp {
  id: number;
  by: Account | null;
  /** ISO 8601, to the second. */
  at: string;
}

/** A comment on a line of a pull request's diff. */
export interface ReviewComment {
  id: number;
  /** The first comment of the thread that it answers; null when it is the first. */
  replyTo: number | null;
  body: string;
  author: Account | null;
  path: string;
  /** Null where the line is gone. */
  line: number | null;
  diffHunk: string | null;
  url: string;
}

export interface Pull {
  number: number;
  title: string;
  body: string;
  state: "open" | "closed";
  draft: boolean;
  merged: boolean;
  mergeCommit: string | null;
  headRef: string;
  headSha: string;
  /** Null when the fork was deleted. */
  headRepository: string | null;
  baseRef: string;
  author: Account | null;
  url: string;
}

export interface Annotation {
  path: string;
  line: number;
  level: "notice" | "warning" | "failure";
  title: string;
  message: string;
}

/** How a check ends. `neutral` stands for not-run: nothing is green when nothing ran. */
export interface CheckEnd {
  conclusion: "success" | "failure" | "neutral" | "cancelled" | "timed_out" | "action_required";
  title: string;
  summary: string;
  annotations: Annotation[];
  actions: { label: string; description: string; identifier: string }[];
}

export type Reaction = "eyes" | "+1" | "-1" | "confused" | "rocket" | "heart" | "hooray" | "laugh";

/** Where a reaction goes. */
export type ReactionTarget =
  | { kind: "issue"; number: number }
  | { kind: "comment" | "review-comment"; id: number };

/**
 * What the engine asks of GitHub for one repository. Every write is idempotent: called again after a crash it finds what
 * it made before (by hidden marker and own app id, on any page) and does not make it twice.
 * Contract: rejects with `GITHUB_DENIED` (403, names the missing permission), `GITHUB_MISSING` (404, 410),
 * `GITHUB_FAILED` (the rest; `retryable` where it is).
 */
export interface GitHubPort {
  readonly repository: RepositoryRef;
  /** Address of a page of this repository, such as `web("blob/main/a.ts")`. */
  web(path: string): string;
  about(): Promise<About>;
  /** Fails closed: any doubt is `none`. */
  permission(login: string): Promise<Permission>;
  issue(number: number): Promise<Issue>;
  /** All comments, oldest first. */
  comments(number: number): Promise<Comment[]>;
  /** All comments on lines of a pull request, oldest first. */
  reviewComments(number: number): Promise<ReviewComment[]>;
  react(target: ReactionTarget, reaction: Reaction): Promise<void>;
  /** Every 👍 on a comment of an issue or pull request, oldest first. GitHub sends no event for them. */
  thumbsUp(comment: number): Promise<ThumbUp[]>;
  /**
   * The one living comment with this marker: made, or edited in place when its text changed. Over-long text is cut visibly.
   * Null when the conversation is locked: nothing was written, the reason is in the log.
   */
  upsertComment(number: number, marker: string, body: string): Promise<Comment | null>;
  /**
   * A comment that is written once for this marker; found again instead of repeated when `retry` is true. Null when the
   * conversation is locked.
   */
  addComment(number: number, marker: string, body: string, retry: boolean): Promise<Comment | null>;
  pull(number: number): Promise<Pull>;
  /** The open pull request with this head branch of this repository, else null. */
  findPull(head: string): Promise<Pull | null>;
  /** The newest pull request with this head branch of this repository, open or not, also where the branch is gone; else null. */
  lastPull(head: string): Promise<Pull | null>;
  /** Opens one whose body is our marked block, or finds the open one of this head. */
  openPull(input: { head: string; base: string; title: string; body: string; draft: boolean }): Promise<Pull>;
  /** Replaces our marked block in the body; the text of people around it stays. */
  updatePullBlock(number: number, block: string): Promise<void>;
  /** Takes a pull request out of draft; nothing when it is none. */
  markReady(number: number): Promise<void>;
  /** The check run of this name and external id on this commit: made `in_progress`, or found. Gives its id. */
  startCheck(input: { name: string; sha: string; externalId: string; url: string | null }): Promise<number>;
  /** The check run of this name and external id on this commit, or null. */
  findCheck(input: {
    name: string;
    sha: string;
    externalId: string;
  }): Promise<{ id: number; isCompleted: boolean } | null>;
  /** Concludes it, always: if GitHub refuses the output, it concludes with a shorter one. */
  concludeCheck(id: number, end: CheckEnd): Promise<void>;
  /** A text file at a branch, or null. */
  readFile(path: string, ref: string): Promise<string | null>;
}

/** GitHub as one App installation or one token sees it. */
export interface GitHub {
  /** The account that our comments and commits come from. */
  identity(): Promise<{ appId: number | null; slug: string; login: string; email: string }>;
  repository(ref: { owner: string; name: string; installation: number | null }): GitHubPort;
  /** `Authorization` header value for git over HTTP, minted when needed, for that repository only. */
  gitAuthorization(ref: { owner: string; name: string; installation: number | null }): Promise<string>;
  /** Clone address without credentials. */
  cloneUrl(ref: { owner: string; name: string }): string;
}
