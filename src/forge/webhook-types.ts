import type { components } from "@octokit/openapi-types";

type Schemas = components["schemas"];

/** Every webhook that the forge sends, `event` or `event.action`, with GitHub's schema of its payload. */
interface WebhookPayloads {
  "check_run.completed": Schemas["webhook-check-run-completed"];
  "check_run.created": Schemas["webhook-check-run-created"];
  "check_run.requested_action": Schemas["webhook-check-run-requested-action"];
  "check_run.rerequested": Schemas["webhook-check-run-rerequested"];
  "check_suite.completed": Schemas["webhook-check-suite-completed"];
  "check_suite.requested": Schemas["webhook-check-suite-requested"];
  "check_suite.rerequested": Schemas["webhook-check-suite-rerequested"];
  create: Schemas["webhook-create"];
  delete: Schemas["webhook-delete"];
  "installation.created": Schemas["webhook-installation-created"];
  "installation.suspend": Schemas["webhook-installation-suspend"];
  "installation.unsuspend": Schemas["webhook-installation-unsuspend"];
  "installation_repositories.added": Schemas["webhook-installation-repositories-added"];
  "issue_comment.created": Schemas["webhook-issue-comment-created"];
  "issue_comment.deleted": Schemas["webhook-issue-comment-deleted"];
  "issue_comment.edited": Schemas["webhook-issue-comment-edited"];
  "issues.assigned": Schemas["webhook-issues-assigned"];
  "issues.closed": Schemas["webhook-issues-closed"];
  "issues.edited": Schemas["webhook-issues-edited"];
  "issues.labeled": Schemas["webhook-issues-labeled"];
  "issues.locked": Schemas["webhook-issues-locked"];
  "issues.opened": Schemas["webhook-issues-opened"];
  "issues.reopened": Schemas["webhook-issues-reopened"];
  "issues.unassigned": Schemas["webhook-issues-unassigned"];
  "issues.unlabeled": Schemas["webhook-issues-unlabeled"];
  "issues.unlocked": Schemas["webhook-issues-unlocked"];
  "pull_request.closed": Schemas["webhook-pull-request-closed"];
  "pull_request.converted_to_draft": Schemas["webhook-pull-request-converted-to-draft"];
  "pull_request.edited": Schemas["webhook-pull-request-edited"];
  "pull_request.labeled": Schemas["webhook-pull-request-labeled"];
  "pull_request.opened": Schemas["webhook-pull-request-opened"];
  "pull_request.ready_for_review": Schemas["webhook-pull-request-ready-for-review"];
  "pull_request.reopened": Schemas["webhook-pull-request-reopened"];
  "pull_request.review_requested": Schemas["webhook-pull-request-review-requested"];
  "pull_request.review_request_removed": Schemas["webhook-pull-request-review-request-removed"];
  "pull_request.synchronize": Schemas["webhook-pull-request-synchronize"];
  "pull_request.unlabeled": Schemas["webhook-pull-request-unlabeled"];
  "pull_request_review.submitted": Schemas["webhook-pull-request-review-submitted"];
  "pull_request_review_comment.created": Schemas["webhook-pull-request-review-comment-created"];
  push: Schemas["webhook-push"];
  "repository.archived": Schemas["webhook-repository-archived"];
  "repository.unarchived": Schemas["webhook-repository-unarchived"];
}

/** `event` or `event.action`. */
export type WebhookName = keyof WebhookPayloads;

/** What the forge adds to every payload by itself. */
type Common = "action" | "repository" | "sender" | "organization" | "enterprise";

type OwnPart<Payload> = Payload extends unknown ? Omit<Payload, Common> : never;

/** The part of a payload that is about its subject. */
export type WebhookSubject<Name extends WebhookName> = OwnPart<WebhookPayloads[Name]>;
