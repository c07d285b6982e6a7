import { z } from "zod";
import { actorOf, isApp, openRepository } from "../access.js";
import { refreshSuite, suiteOf, tellRun, tellSuite } from "../checks.js";
import { findCommit, readCommits, readRefs } from "../git-read.js";
import type { Hub } from "../hub.js";
import { annotationJson, checkRunJson, runsOf, suiteJson } from "../json/check.js";
import { invalid, notFound, Refusal, unprocessable } from "../refusal.js";
import { bodyOf, listed, numberOf, paginate, textOf, type Answer, type Call, type Route } from "../router.js";
import { gitHubTime, nextId } from "../lookup.js";
import type { CheckRun, Repository } from "../state.js";

/** GitHub's limits on the text and the annotations of one request. */
const MAX_TEXT = 65_535;
const MAX_ANNOTATIONS = 50;
const MAX_ACTIONS = 3;

const Text = z.string().max(MAX_TEXT, `Only ${MAX_TEXT} characters are allowed`);

const Annotation = z.object({
  path: z.string(),
  start_line: z.int(),
  end_line: z.int(),
  start_column: z.int().optional(),
  end_column: z.int().optional(),
  annotation_level: z.enum(["notice", "warning", "failure"]),
  message: z.string(),
  title: z.string().max(255).optional(),
  raw_details: z.string().optional(),
});

const CheckChange = z.object({
  name: z.string().min(1).optional(),
  details_url: z.string().optional(),
  external_id: z.string().optional(),
  status: z.enum(["queued", "in_progress", "completed"]).optional(),
  started_at: z.iso.datetime({ offset: true }).optional(),
  completed_at: z.iso.datetime({ offset: true }).optional(),
  conclusion: z
    .enum(["success", "failure", "neutral", "cancelled", "skipped", "timed_out", "action_required"])
    .optional(),
  output: z
    .object({
      title: z.string().optional(),
      summary: Text,
      text: Text.optional(),
      annotations: z
        .array(Annotation)
        .max(MAX_ANNOTATIONS, `No more than ${MAX_ANNOTATIONS} items are allowed`)
        .optional(),
      images: z.array(z.unknown()).optional(),
    })
    .optional(),
  actions: z
    .array(
      z.object({
        label: z.string().max(20),
        description: z.string().max(40),
        identifier: z.string().max(20),
      }),
    )
    .max(MAX_ACTIONS)
    .optional(),
});

const NewCheck = CheckChange.extend({ name: z.string().min(1), head_sha: z.string().min(1) });

type CheckChange = z.infer<typeof CheckChange>;

const REPOSITORY = "/repos/{owner}/{repo}";

/** Check runs and check suites. Only an App may write them. */
export function checkRoutes(hub: Hub): Route[] {
  return [
    { method: "POST", template: `${REPOSITORY}/check-runs`, serve: (call) => createRun(hub, call) },
    {
      method: "PATCH",
      template: `${REPOSITORY}/check-runs/{check_run_id}`,
      serve: (call) => changeRun(hub, call),
    },
    ...readRoutes(hub),
    ...suiteRoutes(hub),
  ];
}

function openChecks(hub: Hub, call: Call, level: "read" | "write"): Repository {
  if (level === "write" && !isApp(call)) throw new Refusal(403, "You must authenticate via a GitHub App.");
  return openRepository(hub.state, call, { permission: "checks", level });
}

function findRun(repository: Repository, call: Call): CheckRun {
  const run = repository.checkRuns.get(numberOf(call, "check_run_id"));
  if (!run) throw notFound();
  return run;
}

function listRuns(hub: Hub, call: Call, repository: Repository, runs: CheckRun[]): Answer {
  const query = call.url.searchParams;
  const name = query.get("check_name");
  const status = query.get("status");
  const wanted = runs
    .filter((run) => name === null || run.name === name)
    .filter((run) => status === null || run.status === status);
  const latest = new Map(wanted.map((run) => [run.name, run]));
  const shown = query.get("filter") === "all" ? wanted : wanted.filter((run) => latest.get(run.name) === run);
  const { items, headers } = paginate(call, shown);
  return {
    status: 200,
    headers,
    body: {
      total_count: shown.length,
      check_runs: items.map((run) => checkRunJson(hub.state, repository, run)),
    },
  };
}

function readRoutes(hub: Hub): Route[] {
  const { state, git } = hub;
  return [
    {
      method: "GET",
      template: `${REPOSITORY}/check-runs/{check_run_id}`,
      serve(call) {
        const repository = openChecks(hub, call, "read");
        return { status: 200, body: checkRunJson(state, repository, findRun(repository, call)) };
      },
    },
    {
      method: "GET",
      template: `${REPOSITORY}/check-runs/{check_run_id}/annotations`,
      serve(call) {
        const repository = openChecks(hub, call, "read");
        const run = findRun(repository, call);
        return listed(call, run.annotations, (one) => annotationJson(state, repository, one, run.headSha));
      },
    },
    {
      method: "POST",
      template: `${REPOSITORY}/check-runs/{check_run_id}/rerequest`,
      serve(call) {
        const repository = openChecks(hub, call, "write");
        const run = findRun(repository, call);
        const actor = actorOf(state, call);
        return {
          status: 201,
          body: {},
          after: () => tellRun(hub, repository, run, { actor, action: "rerequested" }),
        };
      },
    },
    {
      method: "GET",
      template: `${REPOSITORY}/commits/{+ref}/check-runs`,
      async serve(call) {
        const repository = openChecks(hub, call, "read");
        const sha = await findCommit(git, repository.path, textOf(call, "ref"));
        if (sha === null) throw unprocessable(`No commit found for SHA: ${textOf(call, "ref")}`);
        const runs = [...repository.checkRuns.values()].filter((run) => run.headSha === sha);
        return listRuns(hub, call, repository, runs);
      },
    },
  ];
}

function suiteRoutes(hub: Hub): Route[] {
  const { state, git } = hub;
  const open = (call: Call, level: "read" | "write") => {
    const repository = openChecks(hub, call, level);
    const id = numberOf(call, "check_suite_id");
    const suite = repository.suites.find((one) => one.id === id);
    if (!suite) throw notFound();
    return { repository, suite };
  };
  return [
    {
      method: "GET",
      template: `${REPOSITORY}/check-suites/{check_suite_id}`,
      async serve(call) {
        const { repository, suite } = open(call, "read");
        const [head] = await readCommits(git, repository.path, [suite.headSha]);
        if (!head) throw notFound();
        return { status: 200, body: suiteJson(state, repository, suite, head) };
      },
    },
    {
      method: "GET",
      template: `${REPOSITORY}/check-suites/{check_suite_id}/check-runs`,
      serve(call) {
        const { repository, suite } = open(call, "read");
        return listRuns(hub, call, repository, runsOf(repository, suite));
      },
    },
    {
      method: "POST",
      template: `${REPOSITORY}/check-suites/{check_suite_id}/rerequest`,
      serve(call) {
        const { repository, suite } = open(call, "write");
        const actor = actorOf(state, call);
        return {
          status: 201,
          body: {},
          after: () => tellSuite(hub, repository, suite, { actor, action: "rerequested" }),
        };
      },
    },
  ];
}

async function createRun(hub: Hub, call: Call): Promise<Answer> {
  const repository = openChecks(hub, call, "write");
  const wish = bodyOf(call, NewCheck, "CheckRun");
  const { head_sha: sha } = wish;
  if (!/^[0-9a-f]{40,64}$/.test(sha) || (await findCommit(hub.git, repository.path, sha)) === null)
    throw unprocessable(`No commit found for SHA: ${sha}`);
  const refs = [...(await readRefs(hub.git, repository.path))];
  const ref = refs.find(([name, at]) => at === sha && name.startsWith("refs/heads/"))?.[0];
  const branch = ref?.slice("refs/heads/".length) ?? null;
  const run: CheckRun = {
    id: nextId(hub.state),
    suite: suiteOf(hub, repository, sha, { branch, before: null }),
    name: wish.name,
    headSha: sha,
    externalId: "",
    detailsUrl: null,
    status: "queued",
    conclusion: null,
    startedAt: gitHubTime(hub.clock.now()),
    completedAt: null,
    title: null,
    summary: null,
    text: null,
    annotations: [],
    actions: [],
  };
  applyChange(hub, run, wish);
  repository.checkRuns.set(run.id, run);
  const actor = actorOf(hub.state, call);
  return {
    status: 201,
    body: checkRunJson(hub.state, repository, run),
    async after() {
      tellRun(hub, repository, run, { actor, action: "created" });
      if (run.status === "completed") tellRun(hub, repository, run, { actor, action: "completed" });
      await refreshSuite(hub, repository, run, actor);
    },
  };
}

async function changeRun(hub: Hub, call: Call): Promise<Answer> {
  const repository = openChecks(hub, call, "write");
  const run = findRun(repository, call);
  const wasCompleted = run.status === "completed";
  applyChange(hub, run, bodyOf(call, CheckChange, "CheckRun"));
  const actor = actorOf(hub.state, call);
  return {
    status: 200,
    body: checkRunJson(hub.state, repository, run),
    async after() {
      if (wasCompleted || run.status !== "completed") return;
      tellRun(hub, repository, run, { actor, action: "completed" });
      await refreshSuite(hub, repository, run, actor);
    },
  };
}

function applyChange(hub: Hub, run: CheckRun, wish: CheckChange): void {
  if (wish.status === "completed" && !wish.conclusion && run.conclusion === null)
    throw invalid("CheckRun", "conclusion", "missing_field");
  run.name = wish.name ?? run.name;
  run.detailsUrl = wish.details_url ?? run.detailsUrl;
  run.externalId = wish.external_id ?? run.externalId;
  run.startedAt = wish.started_at ?? run.startedAt;
  run.actions = wish.actions ?? run.actions;
  if (wish.output) {
    run.title = wish.output.title ?? run.title;
    run.summary = wish.output.summary;
    run.text = wish.output.text ?? run.text;
    // GitHub adds the annotations of each request to those it has.
    run.annotations.push(...(wish.output.annotations ?? []));
  }
  if (wish.conclusion) {
    run.status = "completed";
    run.conclusion = wish.conclusion;
    run.completedAt = wish.completed_at ?? gitHubTime(hub.clock.now());
  } else if (wish.status && run.status !== "completed") {
    // What is completed stays so: GitHub ignores a way back to in_progress.
    run.status = wish.status;
  }
}
