import type { components } from "@octokit/openapi-types";
import type { CommitRecord } from "../git-read.js";
import { gitHubTime, isPull, nameOf, nodeId } from "../lookup.js";
import type {
  CheckAnnotation,
  CheckRun,
  CheckSuite,
  CommitStatus,
  ForgeState,
  Repository,
} from "../state.js";
import { appJson, authorJson } from "./account.js";
import { minimalPullJson } from "./pull.js";
import { repositoryJson } from "./repository.js";

type Schemas = components["schemas"];

function pullsAt(state: ForgeState, repository: Repository, headSha: string) {
  return [...repository.issues.values()]
    .filter(isPull)
    .filter(({ state: open, pull }) => open === "open" && pull.headSha === headSha)
    .filter(({ pull }) => pull.headRepositoryId === repository.id)
    .map((issue) => minimalPullJson(state, repository, issue));
}

/** A check run. */
export function checkRunJson(state: ForgeState, repository: Repository, run: CheckRun) {
  const url = `${state.api}/repos/${nameOf(repository)}/check-runs/${run.id}`;
  const page = `${state.web}/${nameOf(repository)}/runs/${run.id}`;
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId("CR", run.id),
    head_sha: run.headSha,
    external_id: run.externalId,
    url,
    html_url: page,
    details_url: run.detailsUrl ?? page,
    status: run.status,
    conclusion: run.conclusion,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    output: {
      title: run.title,
      summary: run.summary,
      text: run.text,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: run.suite.id },
    app: appJson(state),
    pull_requests: pullsAt(state, repository, run.headSha),
  } satisfies Schemas["check-run"];
}

/** A check run as in its webhooks, which show more of its suite. */
export function checkRunEventJson(state: ForgeState, repository: Repository, run: CheckRun) {
  return {
    ...checkRunJson(state, repository, run),
    check_suite: suiteCore(state, repository, run.suite),
  } satisfies Schemas["check-run-with-simple-check-suite"];
}

function suiteCore(state: ForgeState, repository: Repository, suite: CheckSuite) {
  return {
    id: suite.id,
    node_id: nodeId("CS", suite.id),
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    status: suite.status,
    conclusion: suite.conclusion,
    url: `${state.api}/repos/${nameOf(repository)}/check-suites/${suite.id}`,
    before: suite.before,
    after: suite.headSha,
    pull_requests: pullsAt(state, repository, suite.headSha),
    app: appJson(state),
    created_at: gitHubTime(suite.createdAt),
    updated_at: gitHubTime(suite.updatedAt),
  };
}

/** A check suite as in its webhooks. */
export function suiteEventJson(
  state: ForgeState,
  repository: Repository,
  suite: CheckSuite,
  head: CommitRecord,
) {
  const core = suiteCore(state, repository, suite);
  return {
    ...core,
    head_commit: {
      id: head.sha,
      tree_id: head.tree,
      message: head.message,
      timestamp: gitHubTime(head.committer.date),
      author: { name: head.author.name, email: head.author.email },
      committer: { name: head.committer.name, email: head.committer.email },
    },
    latest_check_runs_count: runsOf(repository, suite).length,
    check_runs_url: `${core.url}/check-runs`,
  };
}

/** A check suite's own answer. */
export function suiteJson(state: ForgeState, repository: Repository, suite: CheckSuite, head: CommitRecord) {
  return {
    ...suiteEventJson(state, repository, suite, head),
    repository: repositoryJson(state, repository),
  } satisfies Schemas["check-suite"];
}

/** The check runs of a suite, oldest first. */
export function runsOf(repository: Repository, suite: CheckSuite): CheckRun[] {
  return [...repository.checkRuns.values()].filter((run) => run.suite === suite);
}

/** An annotation of a check run. */
export function annotationJson(
  state: ForgeState,
  repository: Repository,
  annotation: CheckAnnotation,
  sha: string,
) {
  return {
    path: annotation.path,
    start_line: annotation.start_line,
    end_line: annotation.end_line,
    start_column: annotation.start_column ?? null,
    end_column: annotation.end_column ?? null,
    annotation_level: annotation.annotation_level,
    title: annotation.title ?? null,
    message: annotation.message,
    raw_details: annotation.raw_details ?? null,
    blob_href: `${state.api}/repos/${nameOf(repository)}/contents/${annotation.path}?ref=${sha}`,
  } satisfies Schemas["check-annotation"];
}

/** A commit status. */
export function statusJson(state: ForgeState, repository: Repository, status: CommitStatus) {
  return {
    ...simpleStatusJson(state, repository, status),
    creator: authorJson(state, status.creatorId),
  } satisfies Schemas["status"];
}

/** A commit status inside the combined one. */
export function simpleStatusJson(state: ForgeState, repository: Repository, status: CommitStatus) {
  return {
    url: `${state.api}/repos/${nameOf(repository)}/statuses/${status.sha}`,
    avatar_url: `${state.web}/avatars/u/${status.creatorId}`,
    id: status.id,
    node_id: nodeId("SC", status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: gitHubTime(status.createdAt),
    updated_at: gitHubTime(status.createdAt),
  } satisfies Schemas["simple-commit-status"];
}
