import { type ChildProcess, execFile, fork } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { booked, expectBilled, expectDoneOnce } from "../support/audit.js";
import { type CrashBench, startCrashBench } from "../support/crash-bench.js";
import { until } from "../support/stack.js";

// Shorter than a lease: who waits for one is not resumed within it.
const SOON_MS = 8000;
const serverFile = fileURLToPath(new URL("../../dist/server.js", import.meta.url));

let bench: CrashBench;
beforeAll(async () => {
  bench = await startCrashBench({ ACCRUE_GRACE_MS: "100" });
});
afterAll(async () => {
  await bench.close();
});

const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const gone = (pid: number) => until(`the end of process ${pid}`, () => Promise.resolve(!alive(pid)), SOON_MS);
function pids(): { server: number; worker: number } {
  const [server = 0, worker = 0] = bench.stack.pids();
  return { server, worker };
}
function runJob(issue: number): { state: string; attempt: number; fence: number; outcome: string } {
  const db = new Database(join(bench.stack.data, "accrue.db"), { readonly: true });
  try {
    const sql = "select state, attempt, fence, outcome from jobs where lane = 'run' and group_key like ?";
    return db.prepare(sql).get(`%#req-${issue}`) as ReturnType<typeof runJob>;
  } finally {
    db.close();
  }
}

/** Waits until somebody else has taken the run up, sooner than its lease would have run out, and got as far as `held`. */
async function resumed(
  what: string,
  issue: number,
  from: { fence: number; held: Promise<void> },
): Promise<void> {
  await until(what, () => Promise.resolve(runJob(issue).fence > from.fence), SOON_MS);
  await from.held;
}

describe("a run on a server that is stopped", () => {
  it("is put back without using up an attempt and goes on with the next start, whoever was stopped or killed", async () => {
    const { stack, gate } = bench;
    let held = gate.hold("Do task T1 of");
    const issue = await stack.openIssue("add CSV export to the user module", "Please.");
    await held;

    const first = pids();
    process.kill(first.server, "SIGTERM");
    await Promise.all([gone(first.server), gone(first.worker)]);
    expect(runJob(issue)).toMatchObject({ state: "waiting", attempt: 0, fence: 1 });
    expect(await stack.status(issue)).not.toMatch(/Stopped|Failed|Paused/);

    held = gate.hold("Do task T1 of");
    let { fence } = runJob(issue);
    await stack.startServer();
    await resumed("the run after a stop of the server", issue, { fence, held });
    const second = pids();
    ({ fence } = runJob(issue));
    held = gate.hold("Do task T2 of");
    process.kill(second.worker, "SIGTERM");
    await resumed("the run after a stop of the worker", issue, { fence, held });
    expect(pids()).toMatchObject({ server: second.server });

    const third = pids();
    ({ fence } = runJob(issue));
    held = gate.hold("Do task T3 of");
    process.kill(third.worker, "SIGKILL");
    await resumed("the run after the worker was killed", issue, { fence, held });

    const fourth = pids();
    ({ fence } = runJob(issue));
    held = gate.hold("Do task T3 of");
    process.kill(fourth.server, "SIGKILL");
    await stack.startServer();
    await resumed("the run after the listener was killed and its worker outlived it", issue, { fence, held });
    await gone(fourth.worker);

    const fifth = pids();
    process.kill(fifth.worker, "SIGKILL");
    expect(await stack.ended(issue)).toContain("✅ **Ready for review");
    await until("the record of the end", () => Promise.resolve(runJob(issue).state === "done"));
    expect(runJob(issue)).toMatchObject({ attempt: 3, outcome: expect.stringMatching(/^finished/) });
    await expectDoneOnce(stack, issue, bench.main);
    expectBilled(stack, `REQ-${issue}`, bench.paidSince(0));
  }, 120_000);
});

describe("a worker whose listener is killed while it starts", () => {
  it("ends by itself, though nobody told it", async () => {
    const listener = `const worker = require("node:child_process").fork(process.argv[1], ["worker"], {
      detached: true, stdio: ["ignore", "ignore", "ignore", "ipc"] });
      process.stdout.write(String(worker.pid), () => process.kill(process.pid, "SIGKILL"));`;
    const pid = await new Promise<number>((resolve) => {
      const env = bench.stack.environment();
      execFile(process.execPath, ["-e", listener, serverFile], { env }, (_, said) => resolve(Number(said)));
    });
    expect(pid).toBeGreaterThan(0);
    await gone(pid);
  });
});

describe("two servers on one data folder", () => {
  let other: ChildProcess | null = null;
  let otherWorker = 0;
  afterAll(() => {
    for (const pid of [other?.pid ?? 0, otherWorker]) if (pid > 0 && alive(pid)) process.kill(pid, "SIGKILL");
  });

  it("WH-04: do once what both were told, and one goes on with what the other died of", async () => {
    const { stack, gate } = bench;
    const { control } = stack.forge;
    const position = gate.paid().length;
    const held = gate.hold("Do task T2 of");
    const issue = await stack.openIssue("add CSV export to the user module", "Please.");
    const question = await stack.openIssue("How does this work?", null, null);
    await held;
    let address = "";
    other = fork(serverFile, [], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: { ...stack.environment(), PORT: "0" },
    });
    other.on("message", (message: { url?: string; worker?: number }) => {
      address = message.url ?? address;
      otherWorker = message.worker ?? otherWorker;
    });
    await until("the second server", () => Promise.resolve(address));

    await stack.comment(question, "@agent help");
    await control.settle();
    const told = control
      .deliveries()
      .filter(({ event, redelivery }) => !redelivery && (event === "issues" || event === "issue_comment"));
    control.setWebhook(`${address}/api/github/webhooks`);
    await Promise.all(told.map(({ id }) => control.redeliver(id)));

    const before = gate.paid().length;
    await stack.kill();
    await until("the run on the other server", () => Promise.resolve(gate.paid().length > before), SOON_MS);
    await stack.startServer();
    expect(await stack.ended(issue)).toContain("✅ **Ready for review");
    const answers = async () =>
      (await stack.comments(question)).filter(({ user }) => user?.login === "accrue[bot]");
    await until("the answer", async () => (await answers()).length > 0);
    expect(await answers()).toHaveLength(1);
    await expectDoneOnce(stack, issue, bench.main);
    expect(booked(stack, `REQ-${issue}`)).toMatchObject(bench.paidSince(position));
  }, 120_000);
});
