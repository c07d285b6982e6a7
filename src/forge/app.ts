import { createPublicKey } from "node:crypto";
import { z } from "zod";
import { AccrueError } from "../shared/index.js";

// Only names that every one of GitHub's schemas with an App in it allows.
const EVENTS = [
  "branch_protection_rule",
  "check_run",
  "check_suite",
  "code_scanning_alert",
  "commit_comment",
  "create",
  "delete",
  "deployment",
  "deployment_review",
  "deployment_status",
  "deploy_key",
  "discussion",
  "discussion_comment",
  "fork",
  "gollum",
  "issues",
  "issue_comment",
  "label",
  "member",
  "membership",
  "milestone",
  "organization",
  "page_build",
  "public",
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "push",
  "release",
  "repository",
  "repository_dispatch",
  "star",
  "status",
  "team",
  "team_add",
  "watch",
  "workflow_dispatch",
  "workflow_run",
] as const;

const LEVEL = z.enum(["read", "write"]);

const Permissions = z.strictObject({
  actions: LEVEL.optional(),
  administration: LEVEL.optional(),
  checks: LEVEL.optional(),
  contents: LEVEL.optional(),
  deployments: LEVEL.optional(),
  discussions: LEVEL.optional(),
  environments: LEVEL.optional(),
  issues: LEVEL.optional(),
  members: LEVEL.optional(),
  metadata: LEVEL.optional(),
  packages: LEVEL.optional(),
  pages: LEVEL.optional(),
  pull_requests: LEVEL.optional(),
  repository_hooks: LEVEL.optional(),
  secrets: LEVEL.optional(),
  security_events: LEVEL.optional(),
  single_file: LEVEL.optional(),
  statuses: LEVEL.optional(),
  vulnerability_alerts: LEVEL.optional(),
  workflows: z.literal("write").optional(),
});

/** What an App or a token of it may do, by GitHub's names of permissions. */
export type Permissions = z.infer<typeof Permissions>;

/** The name of one permission. */
export type PermissionName = keyof Permissions;

/** An event that an App can subscribe to. */
export type AppEvent = (typeof EVENTS)[number];

const AppRegistration = z.strictObject({
  id: z.int().positive(),
  clientId: z.string().min(1),
  slug: z.string().regex(/^[a-z0-9-]+$/, "a slug has small letters, digits and dashes only"),
  name: z.string().min(1),
  owner: z.string().min(1),
  privateKey: z.string().transform((pem, context) => {
    try {
      return createPublicKey(pem);
    } catch (cause) {
      context.addIssue(`no PEM private key (${String(cause)})`);
      return z.NEVER;
    }
  }),
  webhookSecret: z.string().min(1, "GitHub signs with a secret; an empty one signs nothing"),
  permissions: Permissions,
  events: z.array(z.enum(EVENTS)),
});

/** An App's registration as GitHub would accept it. */
export type AppRegistration = z.infer<typeof AppRegistration>;

/** Refuses what GitHub's form for a new App would refuse, such as an unknown permission or event. */
export function registerApp(app: unknown): AppRegistration {
  const result = AppRegistration.safeParse(app);
  if (result.success)
    return { ...result.data, permissions: { metadata: "read", ...result.data.permissions } };
  throw new AccrueError(
    "INPUT_INVALID",
    `GitHub would not register this App: ${z.prettifyError(result.error)}. Correct the App's registration.`,
    { cause: result.error },
  );
}

/** Parses the `permissions` of a request for a token; null when it names one that GitHub does not know. */
export function parsePermissions(value: unknown): Permissions | null {
  const result = Permissions.safeParse(value);
  return result.success ? result.data : null;
}
