import type { KeyObject } from "node:crypto";
import type { AppEvent, Permissions } from "./app.js";
import type { ForgeRole } from "./role.js";

/** The App as registered: what of it other people can see, and its public key. */
interface AppRecord {
  id: number;
  clientId: string;
  slug: string;
  name: string;
  ownerId: number;
  publicKey: KeyObject;
  permissions: Permissions;
  events: AppEvent[];
  createdAt: number;
  /** The account that comments and commits of the App come from: `<slug>[bot]`. */
  botId: number;
}

/** A person, an organisation or the App's bot. */
export interface Account {
  id: number;
  login: string;
  type: "User" | "Bot" | "Organization";
  createdAt: number;
}

/** What a token opens. Times are milliseconds since 1970. */
export type Token =
  | { kind: "user"; accountId: number }
  | {
      kind: "installation";
      installationId: number;
      permissions: Permissions;
      /** Null: all repositories of the installation. */
      repositoryIds: number[] | null;
      expiresAt: number;
    };

/** The App on one account, with all its repositories. */
export interface Installation {
  id: number;
  /** Login of the account on which the App is installed. */
  owner: string;
  /** The repositories that it was given; null: all of the account. */
  selected: Set<number> | null;
  createdAt: number;
  suspendedAt: number | null;
}

/** The eight reactions of GitHub. */
export type ReactionContent = "+1" | "-1" | "laugh" | "confused" | "heart" | "hooray" | "rocket" | "eyes";

/** What one account thinks of something, in one sign. */
export interface Reaction {
  id: number;
  accountId: number;
  content: ReactionContent;
  createdAt: number;
}

/** What everything that somebody wrote has in common. */
export interface Authored {
  id: number;
  authorId: number;
  viaApp: boolean;
  body: string | null;
  createdAt: number;
  updatedAt: number;
  reactions: Reaction[];
}

/** A label of a repository; issues hold the same object. */
export interface Label {
  id: number;
  name: string;
  color: string;
  description: string | null;
}

/** A comment in the conversation of an issue or pull request. */
export type Comment = Authored;

/** What somebody says of a pull request as a whole, with a verdict. */
export interface Review {
  id: number;
  authorId: number;
  body: string;
  state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "PENDING" | "DISMISSED";
  commitId: string;
  submittedAt: number;
}

/** A comment on a line of a pull request's diff. */
export interface ReviewComment extends Authored {
  reviewId: number;
  path: string;
  /** Null on a comment on the whole file. */
  line: number | null;
  startLine: number | null;
  side: "LEFT" | "RIGHT";
  /** Lines below the first hunk header, as GitHub counts. */
  position: number;
  diffHunk: string;
  commitId: string;
  replyTo: number | null;
}

/** What makes an issue a pull request. */
export interface Pull {
  headRepositoryId: number;
  headRef: string;
  headSha: string;
  baseRef: string;
  /** The base branch when last looked at; fixed by the merge. */
  baseSha: string;
  draft: boolean;
  /** The pair of commits for which `mergeable` was asked; GitHub answers null to whoever asks first. */
  mergeAsked: string | null;
  mergedAt: number | null;
  mergedById: number | null;
  mergeCommit: string | null;
  reviews: Review[];
  reviewComments: ReviewComment[];
  requestedReviewerIds: number[];
}

/** An issue, or the issue half of a pull request. */
export interface Issue extends Authored {
  number: number;
  title: string;
  state: "open" | "closed";
  stateReason: "completed" | "not_planned" | "reopened" | "duplicate" | null;
  closedAt: number | null;
  closedById: number | null;
  locked: boolean;
  labels: Label[];
  assigneeIds: number[];
  comments: Comment[];
  pull: Pull | null;
}

/** An issue that is a pull request. */
export type PullIssue = Issue & { pull: Pull };

/** How a check run can end. */
export type CheckConclusion =
  | "success"
  | "failure"
  | "neutral"
  | "cancelled"
  | "skipped"
  | "timed_out"
  | "action_required";

/** All check runs of the App on one commit. */
export interface CheckSuite {
  id: number;
  headSha: string;
  headBranch: string | null;
  before: string | null;
  status: "queued" | "in_progress" | "completed";
  conclusion: Exclude<CheckConclusion, "skipped"> | null;
  createdAt: number;
  updatedAt: number;
}

/** A remark of a check run on lines of a file, as it was sent. */
export interface CheckAnnotation {
  path: string;
  start_line: number;
  end_line: number;
  annotation_level: "notice" | "warning" | "failure";
  message: string;
  title?: string | undefined;
  raw_details?: string | undefined;
  start_column?: number | undefined;
  end_column?: number | undefined;
}

/** One check of the App on one commit. */
export interface CheckRun {
  id: number;
  suite: CheckSuite;
  name: string;
  headSha: string;
  externalId: string;
  detailsUrl: string | null;
  status: "queued" | "in_progress" | "completed";
  conclusion: CheckConclusion | null;
  startedAt: string;
  completedAt: string | null;
  title: string | null;
  summary: string | null;
  text: string | null;
  annotations: CheckAnnotation[];
  actions: { label: string; description: string; identifier: string }[];
}

/** The older, simpler kind of check: a state by name. */
export interface CommitStatus {
  id: number;
  sha: string;
  state: "error" | "failure" | "pending" | "success";
  context: string;
  description: string | null;
  targetUrl: string | null;
  creatorId: number;
  createdAt: number;
}

/** A repository: its bare folder, its people, and all that is not in git. */
export interface Repository {
  id: number;
  owner: string;
  name: string;
  description: string | null;
  /** Folder of the bare repository: the truth for refs, commits, diffs and mergeability. */
  path: string;
  isPrivate: boolean;
  defaultBranch: string;
  archived: boolean;
  forkOfId: number | null;
  /** By account id. The owner is not listed. */
  collaborators: Map<number, ForgeRole>;
  protectedBranches: Set<string>;
  /** By lower-cased name. */
  labels: Map<string, Label>;
  issues: Map<number, Issue>;
  suites: CheckSuite[];
  checkRuns: Map<number, CheckRun>;
  statuses: CommitStatus[];
  createdAt: number;
  pushedAt: number;
  /** Ends of the pushes and ref updates, which run one after another. */
  queue: Promise<void>;
}

/** All that the forge knows besides what is in git. Contract: pages only read it. */
export interface ForgeState {
  /** Address of the forge, and of its REST API. */
  web: string;
  api: string;
  app: AppRecord;
  accounts: Map<number, Account>;
  tokens: Map<string, Token>;
  installations: Map<number, Installation>;
  repositories: Map<number, Repository>;
  lastId: number;
}
