import { readCommits } from "./git-read.js";
import type { Hub } from "./hub.js";
import { checkRunEventJson, runsOf, suiteEventJson } from "./json/check.js";
import { nextId } from "./lookup.js";
import type { Account, CheckConclusion, CheckRun, CheckSuite, Repository } from "./state.js";

/** The App's check suite of a commit: made on the first push or check run of it. */
export function suiteOf(
  hub: Hub,
  repository: Repository,
  sha: string,
  from: { branch: string | null; before: string | null },
): CheckSuite {
  const found = repository.suites.find((suite) => suite.headSha === sha);
  if (found) return found;
  const now = hub.clock.now();
  const suite: CheckSuite = {
    id: nextId(hub.state),
    headSha: sha,
    headBranch: from.branch,
    before: from.before,
    status: "queued",
    conclusion: null,
    createdAt: now,
    updatedAt: now,
  };
  repository.suites.push(suite);
  return suite;
}

/** After a push: GitHub asks every App that may write checks for some. */
export async function startSuite(
  hub: Hub,
  repository: Repository,
  actor: Account,
  push: { branch: string; before: string; sha: string },
): Promise<void> {
  if (hub.state.app.permissions.checks !== "write") return;
  const suite = suiteOf(hub, repository, push.sha, push);
  await tellSuite(hub, repository, suite, { actor, action: "requested" });
}

/** Tells the App of one of its suites. */
export async function tellSuite(
  hub: Hub,
  repository: Repository,
  suite: CheckSuite,
  what: { actor: Account; action: "requested" | "rerequested" | "completed" },
): Promise<void> {
  const [head] = await readCommits(hub.git, repository.path, [suite.headSha]);
  if (!head) return;
  hub.webhooks.send({
    name: `check_suite.${what.action}`,
    repository,
    sender: what.actor,
    subject: { check_suite: suiteEventJson(hub.state, repository, suite, head) },
  });
}

/** Tells the App of one of its check runs. */
export function tellRun(
  hub: Hub,
  repository: Repository,
  run: CheckRun,
  what: { actor: Account; action: "created" | "completed" | "rerequested" },
): void {
  hub.webhooks.send({
    name: `check_run.${what.action}`,
    repository,
    sender: what.actor,
    subject: { check_run: checkRunEventJson(hub.state, repository, run) },
  });
}

// The worst of a suite's conclusions is the suite's.
const SEVERITY: Exclude<CheckConclusion, "skipped">[] = [
  "failure",
  "timed_out",
  "cancelled",
  "action_required",
  "neutral",
];

/** Concludes or reopens the suite of a run that changed; tells when the suite came to its end. */
export async function refreshSuite(
  hub: Hub,
  repository: Repository,
  run: CheckRun,
  actor: Account,
): Promise<void> {
  const { suite } = run;
  const runs = runsOf(repository, suite);
  const wasCompleted = suite.status === "completed";
  const isCompleted = runs.every(({ status }) => status === "completed");
  suite.status = isCompleted ? "completed" : "in_progress";
  suite.conclusion = isCompleted
    ? (SEVERITY.find((conclusion) => runs.some((one) => one.conclusion === conclusion)) ?? "success")
    : null;
  suite.updatedAt = hub.clock.now();
  if (isCompleted && !wasCompleted) await tellSuite(hub, repository, suite, { actor, action: "completed" });
}
