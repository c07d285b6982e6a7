import type { z } from "zod";
import { isPartsList, partsIn } from "../orchestrator/index.js";
import { readCommand } from "./command.js";
import { hasBlock, issueOfBranch } from "./group.js";
import { findMention } from "./mention.js";
import {
  CheckRunEvent,
  type Envelope,
  type Issue,
  IssueCommentEvent,
  IssueEditedEvent,
  IssueEvent,
  type Pull,
  PullClosedEvent,
  ReviewCommentEvent,
  ReviewEvent,
} from "./payload.js";
import type { EventSettings, Finding } from "./types.js";

/** Reads one kind of event: what it asks for, or in a sentence why nothing. */
type Reader = (payload: unknown, settings: EventSettings, envelope: Envelope) => Finding | string;

/** Every event that can ask for something. */
export const READERS: Readonly<Record<string, Reader>> = {
  "issues.labeled": reader(IssueEvent, ({ issue, label }, settings) => {
    if (!isOurs(label, settings)) return `the label ${label?.name ?? "(none)"} is not \`${settings.label}\``;
    if (issue.state !== "open") return `#${issue.number} is closed`;
    return { ...aboutIssue(issue), intent: { kind: "start", text: "" } };
  }),

  "issues.unlabeled": reader(IssueEvent, ({ issue, label }, settings) => {
    if (!isOurs(label, settings)) return `the label ${label?.name ?? "(none)"} is not \`${settings.label}\``;
    return { ...aboutIssue(issue), intent: { kind: "stop", reason: `the label ${label?.name} was removed` } };
  }),

  "issues.edited": reader(IssueEditedEvent, ({ issue, changes }) => {
    if (!changes?.title && !changes?.body) return "neither its title nor its text was changed";
    if (issue.state !== "open") return `#${issue.number} is closed`;
    return { ...aboutIssue(issue), intent: { kind: "change", text: "" } };
  }),

  "issues.closed": reader(IssueEvent, ({ issue }) => ({
    ...aboutIssue(issue),
    intent: { kind: "stop", reason: `issue #${issue.number} was closed` },
  })),

  "issue_comment.created": reader(IssueCommentEvent, ({ issue, comment }, settings) => {
    if (settings.appId !== null && comment.performed_via_github_app?.id === settings.appId) {
      return "it is the app's own comment";
    }
    return wishOf(comment.body, settings, {
      ...aboutIssue(issue),
      comment: { ...NOWHERE, kind: "comment", id: comment.id, url: comment.html_url },
      at: comment.created_at,
    });
  }),

  "issue_comment.edited": reader(IssueCommentEvent, ({ issue, comment, changes }) => {
    const before = partsIn(changes?.body?.from ?? "").filter(({ done }) => done);
    const news = partsIn(comment.body).filter(({ id, done }) => done && !before.some((one) => one.id === id));
    if (!isPartsList(comment.body)) return "only ticking a part in the bot's own list asks for something";
    if (news.length === 0) return "no part was ticked";
    return { ...aboutIssue(issue), intent: { kind: "continue", text: "", merged: false } };
  }),

  "pull_request_review_comment.created": reader(ReviewCommentEvent, ({ pull_request, comment }, settings) =>
    wishOf(comment.body, settings, {
      ...aboutPull(pull_request),
      comment: {
        id: comment.id,
        kind: "review-comment",
        url: comment.html_url,
        path: comment.path,
        line: comment.line ?? comment.original_line ?? null,
        diffHunk: comment.diff_hunk ?? null,
      },
      at: comment.created_at,
    }),
  ),

  "pull_request_review.submitted": reader(ReviewEvent, ({ pull_request, review }, settings) => {
    const about = aboutPull(pull_request);
    return wishOf(review.body, settings, {
      ...about,
      comment: { ...NOWHERE, kind: "review", id: review.id, url: review.html_url },
      at: review.submitted_at ?? about.at,
    });
  }),

  "pull_request.closed": reader(PullClosedEvent, ({ pull_request: pull }, _settings, { repository }) => {
    // In a fork anybody can name a branch like ours and copy our block.
    const isHere = pull.head.repo?.full_name === repository.full_name;
    if (!isHere || (issueOfBranch(pull.head.ref) === undefined && !hasBlock(pull.body))) {
      return `#${pull.number} is not a pull request of the app`;
    }
    const about = { ...aboutPull(pull), at: pull.closed_at ?? pull.updated_at };
    return pull.merged
      ? { ...about, intent: { kind: "continue", text: "", merged: true }, isFact: true }
      : { ...about, intent: { kind: "stop", reason: `pull request #${pull.number} was closed` } };
  }),

  "check_run.requested_action": reader(CheckRunEvent, readCheck),
  "check_run.rerequested": reader(CheckRunEvent, readCheck),
};

const NOWHERE = { path: null, line: null, diffHunk: null };

function reader<Payload>(
  schema: z.ZodType<Payload>,
  read: (payload: Payload, settings: EventSettings, envelope: Envelope) => Finding | string,
): Reader {
  return (payload, settings, envelope) => {
    const parsed = schema.safeParse(payload);
    return parsed.success ? read(parsed.data, settings, envelope) : unreadable(parsed.error);
  };
}

/** Says in one sentence what of a payload is not as GitHub documents it. */
export function unreadable(error: z.ZodError): string {
  const [first] = error.issues;
  const where = first && first.path.length > 0 ? first.path.join(".") : "the payload";
  return `it cannot be read: ${where}: ${first?.message ?? "unknown"}`;
}

function readCheck(
  { check_run: check, requested_action: action }: z.infer<typeof CheckRunEvent>,
  settings: EventSettings,
): Finding | string {
  if (settings.appId === null || check.app?.id !== settings.appId) return "the check is not the app's own";
  const wanted = action?.identifier ?? "retry";
  if (wanted !== "retry" && wanted !== "approve" && wanted !== "budget")
    return `the action ${wanted} is not known`;
  const number = check.pull_requests?.[0]?.number;
  const headRef = check.check_suite?.head_branch ?? null;
  if (number === undefined && issueOfBranch(headRef ?? "") == null) return "the check has no pull request";
  const thread = { isPull: true, title: "", body: "", labels: [], url: check.html_url ?? "" };
  return {
    intent: { kind: wanted, text: "" },
    thread: number === undefined ? null : { ...thread, number },
    comment: null,
    headRef,
    at: check.completed_at ?? check.started_at,
    ...(wanted === "approve" && { answers: check.external_id ?? null }),
  };
}

/** A comment's wish, if it speaks to us. */
function wishOf(body: string, settings: EventSettings, place: Omit<Finding, "intent">): Finding | string {
  const names = [settings.mention, `@${settings.handle}`, `@${settings.handle}[bot]`];
  const mention = findMention(body, names);
  if (!mention) return `it does not mention ${settings.mention}`;
  return { ...place, intent: readCommand(mention, place.thread?.isPull ?? false) };
}

function isOurs(label: { name: string } | null | undefined, settings: EventSettings): boolean {
  return label?.name.toLowerCase() === settings.label.toLowerCase();
}

function aboutIssue(issue: Issue): Omit<Finding, "intent"> {
  const thread = threadOf(issue, issue.pull_request != null);
  return { thread, comment: null, headRef: null, at: issue.updated_at };
}

function aboutPull(pull: Pull): Omit<Finding, "intent"> {
  return { thread: threadOf(pull, true), comment: null, headRef: pull.head.ref, at: pull.updated_at };
}

function threadOf(thread: Issue | Pull, isPull: boolean): NonNullable<Finding["thread"]> {
  const { number, title, body, labels, html_url: url } = thread;
  return { number, isPull, title, body, labels, url };
}
