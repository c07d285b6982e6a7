import nock from "nock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CheckEnd } from "../../src/github/index.js";
import { allowTokens, fakeGitHub, REPO } from "./fake-github.js";

const CHECK = `${REPO}/check-runs/4`;
const NEW = { name: "accrue", sha: "abc", externalId: "run-1", url: null };
const END: CheckEnd = {
  conclusion: "success",
  title: "Passed: 3 checks",
  summary: "fine",
  annotations: [],
  actions: [],
};

let fake: ReturnType<typeof fakeGitHub>;
let sent: Record<string, never>[];
beforeEach(() => {
  fake = fakeGitHub();
  allowTokens(fake.api);
  sent = [];
});
afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

function answer(...statuses: number[]): void {
  for (const status of statuses) {
    fake.api.patch(CHECK).reply(status, (_, body) => {
      sent.push(body as Record<string, never>);
      return status === 200 ? { id: 4 } : { message: "Invalid request" };
    });
  }
}
function serveRuns(runs: object[]): void {
  fake.api
    .get(`${REPO}/commits/abc/check-runs`)
    .query(true)
    .reply(200, { total_count: runs.length, check_runs: runs });
}

describe("starting a check", () => {
  it("makes one that is in progress", async () => {
    serveRuns([
      { id: 1, external_id: "run-1", app: { id: 99 } },
      { id: 2, external_id: "run-0", app: { id: 77 } },
    ]);
    fake.api
      .post(`${REPO}/check-runs`, {
        name: "accrue",
        head_sha: "abc",
        external_id: "run-1",
        status: "in_progress",
        started_at: "2026-11-29T12:00:00.000Z",
      })
      .reply(201, { id: 4 });
    expect(await fake.port.startCheck(NEW)).toBe(4);
  });

  it("finds the one that was made before a crash", async () => {
    serveRuns([{ id: 3, external_id: "run-1", app: { id: 77 } }]);
    expect(await fake.port.startCheck(NEW)).toBe(3);
  });

  it("looks again after a failure that says nothing", async () => {
    serveRuns([]);
    fake.api.post(`${REPO}/check-runs`).reply(500, {});
    serveRuns([{ id: 5, external_id: "run-1", app: { id: 77 } }]);
    expect(await fake.port.startCheck(NEW)).toBe(5);
  });
});

describe("concluding a check", () => {
  it("CM-03: cuts a summary that is longer than GitHub takes", async () => {
    answer(200);
    await fake.port.concludeCheck(4, { ...END, summary: "x".repeat(68_338) });
    expect(sent[0]).toMatchObject({
      status: "completed",
      conclusion: "success",
      completed_at: "2026-11-29T12:00:00.000Z",
    });
    const { summary } = (sent[0] as unknown as { output: { summary: string } }).output;
    expect(summary.length).toBeLessThanOrEqual(65_535);
    expect(summary).toContain("cut");
  });

  it("CM-03: ends it all the same when GitHub refuses the output, shorter first, then bare", async () => {
    answer(422, 422, 200);
    await fake.port.concludeCheck(4, { ...END, summary: "x".repeat(60_000) });
    expect(sent.map((body) => Object.keys(body))).toEqual([
      ["status", "conclusion", "completed_at", "output", "actions"],
      ["status", "conclusion", "completed_at", "output"],
      ["status", "conclusion", "completed_at"],
    ]);
  });

  it("sends annotations fifty at a time and says how many are left out", async () => {
    answer(200, 200, 200, 200);
    const annotation = { path: "a.ts", line: 0, level: "failure" as const, title: "T", message: "" };
    await fake.port.concludeCheck(4, {
      ...END,
      annotations: Array.from({ length: 230 }, () => annotation),
    });
    const outputs = sent.map(
      (body) => (body as unknown as { output: { annotations: object[]; summary: string } }).output,
    );
    expect(outputs.map((output) => output.annotations.length)).toEqual([50, 50, 50, 50]);
    expect(outputs[0]?.summary).toBe("fine\n\n… 30 more annotations are not shown");
    expect(outputs[0]?.annotations[0]).toMatchObject({ start_line: 1, end_line: 1, message: "T" });
  });

  it("keeps buttons within GitHub's lengths", async () => {
    answer(200);
    const action = { label: "l".repeat(30), description: "d".repeat(50), identifier: "i".repeat(30) };
    await fake.port.concludeCheck(4, { ...END, actions: Array.from({ length: 5 }, () => action) });
    const { actions } = sent[0] as unknown as { actions: object[] };
    expect(actions).toEqual(
      Array.from({ length: 3 }, () => ({
        label: "l".repeat(20),
        description: "d".repeat(40),
        identifier: "i".repeat(20),
      })),
    );
  });

  it("repeats the update when the connection drops", async () => {
    fake.api.patch(CHECK).replyWithError("socket hang up");
    answer(200);
    await expect(fake.port.concludeCheck(4, END)).resolves.toBeUndefined();
  });
});
