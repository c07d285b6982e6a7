import { z } from "zod";

// Only what is read here, and null where GitHub says so: a deleted user, an empty body, a fork that is gone.

const User = z.object({ id: z.number(), login: z.string(), type: z.string() });
const Labels = z
  .array(z.object({ name: z.string().nullish() }))
  .nullish()
  .transform((labels) => (labels ?? []).flatMap((label) => label.name ?? []));
const Body = z
  .string()
  .nullish()
  .transform((body) => body ?? "");
const App = z.object({ id: z.number() }).nullish();

const Thread = z.object({
  number: z.number(),
  title: z.string(),
  body: Body,
  html_url: z.string(),
  labels: Labels,
});
/** An issue as events carry it. */
export const Issue = Thread.extend({
  state: z.string(),
  updated_at: z.string(),
  pull_request: z.unknown().optional(),
});
/** An issue as events carry it. */
export type Issue = z.infer<typeof Issue>;
/** A pull request as events carry it. */
export const Pull = Thread.extend({
  head: z.object({ ref: z.string(), repo: z.object({ full_name: z.string() }).nullish() }),
  updated_at: z.string(),
});
/** A pull request as events carry it. */
export type Pull = z.infer<typeof Pull>;

/** What every event about a repository carries. */
export const Envelope = z.object({
  repository: z.object({
    name: z.string(),
    full_name: z.string(),
    owner: z.object({ login: z.string() }),
    html_url: z.url(),
    default_branch: z.string(),
  }),
  installation: z.object({ id: z.number() }).nullish(),
  sender: User.nullish(),
});
/** What every event about a repository carries. */
export type Envelope = z.infer<typeof Envelope>;

/** `issues.*` */
export const IssueEvent = z.object({
  issue: Issue,
  label: z.object({ name: z.string() }).nullish(),
});

const Before = z.object({ from: z.string().nullish() }).nullish();
/** `issues.edited` */
export const IssueEditedEvent = z.object({
  issue: Issue,
  changes: z.object({ title: Before, body: Before }).nullish(),
});

/** `issue_comment.created`, `issue_comment.edited` */
export const IssueCommentEvent = z.object({
  issue: Issue,
  changes: z.object({ body: z.object({ from: z.string() }).nullish() }).nullish(),
  comment: z.object({
    id: z.number(),
    body: Body,
    html_url: z.string(),
    created_at: z.string(),
    performed_via_github_app: App,
  }),
});

/** `pull_request_review_comment.created` */
export const ReviewCommentEvent = z.object({
  pull_request: Pull,
  comment: z.object({
    id: z.number(),
    body: Body,
    html_url: z.string(),
    created_at: z.string(),
    path: z.string(),
    line: z.number().nullish(),
    original_line: z.number().nullish(),
    diff_hunk: z.string().nullish(),
  }),
});

/** `pull_request_review.submitted` */
export const ReviewEvent = z.object({
  pull_request: Pull,
  review: z.object({
    id: z.number(),
    body: Body,
    html_url: z.string(),
    submitted_at: z.string().nullish(),
  }),
});

/** `pull_request.closed` */
export const PullClosedEvent = z.object({
  pull_request: Pull.extend({
    merged: z.boolean().nullish(),
    closed_at: z.string().nullish(),
  }),
});

/** `check_run.*` */
export const CheckRunEvent = z.object({
  check_run: z.object({
    html_url: z.string().nullish(),
    external_id: z.string().nullish(),
    started_at: z.string(),
    completed_at: z.string().nullish(),
    app: App,
    check_suite: z.object({ head_branch: z.string().nullish() }).nullish(),
    pull_requests: z.array(z.object({ number: z.number() })).nullish(),
  }),
  requested_action: z.object({ identifier: z.string() }).nullish(),
});
