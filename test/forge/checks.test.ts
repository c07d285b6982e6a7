import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startWorld, type World } from "./fixture.js";

let world: World;
let sha: string;
beforeAll(async () => {
  world = await startWorld();
  const { json } = await world.ask("GET", "/repos/acme/shop/commits/main", { token: world.bot });
  sha = json.sha;
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.events();
});

const RUNS = "/repos/acme/shop/check-runs";
const create = (body: Record<string, unknown>, token = world.bot) =>
  world.ask("POST", RUNS, { token, body: { name: "accrue", head_sha: sha, ...body } });
const change = (id: number, body: unknown) => world.ask("PATCH", `${RUNS}/${id}`, { token: world.bot, body });
const annotation = { path: "a", start_line: 1, end_line: 1, annotation_level: "warning", message: "m" };

describe("check runs", () => {
  it("go from created to completed, with their suite", async () => {
    const { status, json } = await create({ status: "in_progress", external_id: "run-1" });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      status: "in_progress",
      conclusion: null,
      external_id: "run-1",
      app: { id: 42 },
    });
    const done = await change(json.id, {
      conclusion: "success",
      output: { title: "T", summary: "S", annotations: [annotation] },
    });
    expect(done.json).toMatchObject({
      status: "completed",
      conclusion: "success",
      output: { annotations_count: 1 },
    });
    const more = await change(json.id, { output: { title: "T", summary: "S", annotations: [annotation] } });
    expect(more.json.output.annotations_count).toBe(2);
    expect(await world.events()).toEqual([
      "check_run.created",
      "check_run.completed",
      "check_suite.completed",
    ]);
    const list = await world.ask("GET", `${RUNS}/${json.id}/annotations`, { token: world.bot });
    expect(list.json).toHaveLength(2);
    const suite = await world.ask("GET", `/repos/acme/shop/check-suites/${json.check_suite.id}`, {
      token: world.bot,
    });
    expect(suite.json).toMatchObject({ status: "completed", conclusion: "success", head_branch: "main" });
    const runs = await world.ask("GET", `/repos/acme/shop/check-suites/${json.check_suite.id}/check-runs`, {
      token: world.bot,
    });
    expect(runs.json.total_count).toBe(1);
  });

  it("stay completed when asked back to in_progress (WH-17)", async () => {
    const { json } = await create({ name: "back", conclusion: "failure" });
    expect(json.status).toBe("completed");
    await world.events();
    const { json: after } = await change(json.id, { status: "in_progress" });
    expect(after).toMatchObject({ status: "completed", conclusion: "failure" });
    expect(await world.events()).toEqual([]);
  });

  it("are listed by commit, name and state: the latest of each name", async () => {
    const first = await create({ name: "listed" });
    const second = await create({ name: "listed" });
    const list = async (query: string) =>
      (await world.ask("GET", `/repos/acme/shop/commits/main/check-runs?${query}`, { token: world.bot }))
        .json;
    expect((await list("check_name=listed")).check_runs.map((run: { id: number }) => run.id)).toEqual([
      second.json.id,
    ]);
    const all = await list("check_name=listed&filter=all&status=queued");
    expect(all.check_runs.map((run: { id: number }) => run.id)).toEqual([first.json.id, second.json.id]);
    expect((await world.ask("GET", `${RUNS}/${first.json.id}`, { token: world.bot })).json.name).toBe(
      "listed",
    );
  });

  it("are written by an App only, on a commit that exists", async () => {
    expect(await create({}, world.lee)).toMatchObject({
      status: 403,
      json: { message: "You must authenticate via a GitHub App." },
    });
    const wrong = "f".repeat(40);
    expect(await create({ head_sha: wrong })).toMatchObject({
      status: 422,
      json: { message: `No commit found for SHA: ${wrong}` },
    });
  });

  it("have buttons that people press", async () => {
    const { json } = await create({
      name: "buttons",
      conclusion: "neutral",
      actions: [{ label: "Retry", description: "Runs again", identifier: "retry" }],
    });
    await world.events();
    const press = (button: string) =>
      world.forge.control.pressCheck({ repository: "acme/shop", checkRun: json.id, login: "lee", button });
    press("retry");
    press("rerequest");
    expect(() => press("nothing")).toThrow(/has no button nothing/);
    await world.settle();
    expect(
      world.received.map(({ payload }) => [payload.action, payload.requested_action?.identifier]),
    ).toEqual([
      ["requested_action", "retry"],
      ["rerequested", undefined],
    ]);
    expect((await world.ask("POST", `${RUNS}/${json.id}/rerequest`, { token: world.bot })).status).toBe(201);
    const suite = `/repos/acme/shop/check-suites/${json.check_suite.id}/rerequest`;
    expect((await world.ask("POST", suite, { token: world.bot })).status).toBe(201);
  });

  it("know the pull requests of their commit", async () => {
    const head = await world.forge.control.commit({
      repository: "acme/shop",
      branch: "checked",
      files: { x: "x" },
      message: "x",
      login: "lee",
    });
    const pull = await world.ask("POST", "/repos/acme/shop/pulls", {
      token: world.bot,
      body: { title: "x", head: "checked", base: "main" },
    });
    const { json } = await create({ head_sha: head });
    expect(json.pull_requests).toMatchObject([{ number: pull.json.number, head: { ref: "checked" } }]);
  });
});

describe("commit statuses", () => {
  it("add up to one, of the latest per context", async () => {
    const set = (state: string, context: string) =>
      world.ask("POST", `/repos/acme/shop/statuses/${sha}`, { token: world.bot, body: { state, context } });
    const combined = async () =>
      (await world.ask("GET", "/repos/acme/shop/commits/main/status", { token: world.bot })).json;
    expect((await combined()).state).toBe("pending");
    await set("failure", "ci");
    expect((await combined()).state).toBe("failure");
    await set("success", "ci");
    await set("success", "lint");
    expect(await combined()).toMatchObject({ state: "success", total_count: 2, sha });
    const all = await world.ask("GET", `/repos/acme/shop/commits/${sha}/statuses`, { token: world.bot });
    expect(all.json.map((one: { context: string }) => one.context)).toEqual(["lint", "ci", "ci"]);
  });
});

// What breaks GitHub's request schema is asked of a forge without a log, which is for exchanges that keep to it.
describe("a check run that breaks GitHub's rules", () => {
  let quiet: World;
  let head: string;
  beforeAll(async () => {
    quiet = await startWorld({ logFile: null });
    head = (await quiet.ask("GET", "/repos/acme/shop/commits/main", { token: quiet.bot })).json.sha;
  });
  afterAll(() => quiet.close());

  it.each([
    ["a text of 68,338 characters (CM-03)", { output: { title: "t", summary: "x".repeat(68_338) } }, /65535/],
    [
      "51 annotations",
      { output: { title: "t", summary: "s", annotations: Array.from({ length: 51 }, () => annotation) } },
      /No more than 50 items/,
    ],
    [
      "a label of 21 characters",
      { actions: [{ label: "x".repeat(21), description: "d", identifier: "i" }] },
      /actions\/0\/label/,
    ],
    ["an unknown conclusion", { conclusion: "great" }, /conclusion/],
    ["completion without a conclusion", { status: "completed" }, /Validation Failed/],
  ])("is refused with %s", async (_what, body, message) => {
    const answer = await quiet.ask("POST", RUNS, {
      token: quiet.bot,
      body: { name: "n", head_sha: head, ...body },
    });
    expect(answer.status).toBe(422);
    expect(answer.json.message).toMatch(message);
    expect((await quiet.events()).filter((event) => event.startsWith("check_run"))).toEqual([]);
  });

  it("is refused without the field that it lacks, by name", async () => {
    const answer = await quiet.ask("POST", RUNS, { token: quiet.bot, body: { name: "n" } });
    expect(answer.json.errors).toEqual([{ resource: "CheckRun", field: "head_sha", code: "missing_field" }]);
  });

  it.each([
    ["{", 400, "Problems parsing JSON"],
    ["3", 400, "Body should be a JSON object"],
  ])("gets a plain answer for the body %s", async (body, status, message) => {
    expect(await quiet.ask("POST", RUNS, { token: quiet.bot, body })).toMatchObject({
      status,
      json: { message },
    });
  });
});
