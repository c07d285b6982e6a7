// How long people wait: for 👀 and the status comment, for the pull request, and GitHub for an answer to its webhook; and what
// the idle processes hold in memory. Everything is real but GitHub and the model, which answer at once on loopback. The
// repository has no test command, so that no command of the target is in the times.
import { createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { parseScenarios, startScriptedModel } from "../dist/forge/index.js";
import { startStack } from "./support/stack.mjs";

const LIMITS = { statusMs: 150, pullMs: 2000, webhookMs: 50, listenerMb: 150 };
const WEBHOOKS = 500;
const RUN_LIMIT_MS = 30_000;
const clock = { now: () => Date.now() };

const done = (input) => [{ call: [{ tool: "complete_task", input }] }];
const SCENARIOS = [
  {
    name: "requirement",
    when: { systemContains: "Your job: the requirement" },
    turns: done({
      title: "A greeting",
      problem: "There is none.",
      scope: ["greeting.txt"],
      criteria: [{ id: "AC-1", text: "WHEN greeting.txt is read THEN it greets." }],
      nonGoals: [],
      questions: [],
    }),
  },
  {
    name: "design",
    when: { systemContains: "Your job: the design" },
    turns: done({
      summary: "One file.",
      archaeology: [],
      decisions: [],
      files: [{ path: "greeting.txt", change: "New." }],
      risks: [],
      tests: [],
      tasks: [
        {
          id: "T1",
          title: "Write the greeting",
          kind: "feature",
          criteria: ["AC-1"],
          files: ["greeting.txt"],
          after: [],
        },
      ],
    }),
  },
  {
    name: "task",
    when: { systemContains: "Your job: one task" },
    turns: [
      { call: [{ tool: "write_file", input: { path: "greeting.txt", content: "Good morning.\n" } }] },
      ...done({ summary: "Written.", evidence: [] }),
    ],
  },
  { name: "lesson", when: { systemContains: "Your job: what was learnt" }, turns: done({ lesson: null }) },
];

export async function measure([count = "20"]) {
  const issues = Number(count);
  const scene = await setUp();
  try {
    const idle = scene.memory();
    const first = await runIssue(scene, 0);
    const runs = [];
    for (let index = 1; index <= issues; index++) runs.push(await runIssue(scene, index));
    const webhooks = await postWebhooks(scene);
    await delay(1000);
    return report({ startMs: scene.startMs, first, runs, webhooks, idle, after: scene.memory() });
  } finally {
    await scene.close();
  }
}

async function setUp() {
  const model = await startScriptedModel({ scenarios: parseScenarios(JSON.stringify(SCENARIOS)), clock });
  const stack = await startStack({
    modelUrl: model.url,
    name: "greetings",
    files: { "README.md": "# Greetings\n" },
  });
  await delay(Number(process.env.BENCH_IDLE_MS ?? 3000));
  return {
    ...stack,
    memory: () => ({
      listenerMb: residentMb(stack.pids.listener),
      workerMb: residentMb(stack.pids.worker),
    }),
    close: async () => {
      await stack.close();
      await model.close();
    },
  };
}

function residentMb(pid) {
  const kb = Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  return Math.round(kb / 1024);
}

/** Milliseconds from the label to the reaction, the status comment, the pull request, and the last write of the run. */
async function runIssue(scene, index) {
  const { number } = await scene.call("POST", "/issues", { title: `Greet ${index}`, body: null });
  const times = {};
  let end;
  const started = performance.now();
  const over = new Promise((resolve) => {
    end = scene.forge.control.watch(({ method, path }) => {
      if (process.env.BENCH_TRACE)
        process.stderr.write(`${Math.round(performance.now() - started)} ${method} ${path}\n`);
      const name = `${method} ${path}`;
      const now = performance.now() - started;
      if (/^POST .*\/reactions$/.test(name)) times.eyesMs ??= now;
      if (name.endsWith(`POST /repos/acme/greetings/issues/${number}/comments`)) {
        if (times.statusMs === undefined) times.statusMs = now;
        else times.billMs = now;
      }
      if (/^POST .*\/pulls$/.test(name)) times.pullMs ??= now;
      // The last edit of the status comment comes after the bill.
      if (times.billMs !== undefined && /^PATCH .*\/issues\/comments\//.test(name)) {
        times.endMs = now;
        resolve();
      }
    });
  });
  await scene.call("POST", `/issues/${number}/labels`, { labels: ["agent"] });
  const late = AbortSignal.timeout(RUN_LIMIT_MS);
  await Promise.race([
    over,
    new Promise((_, reject) =>
      late.addEventListener("abort", () =>
        reject(new Error(`#${number} did not end: ${JSON.stringify(times)}`)),
      ),
    ),
  ]);
  end();
  return times;
}

async function postWebhooks({ url, secret, forge }) {
  const known = forge.control
    .deliveries()
    .find(({ event, action }) => event === "issues" && action === "opened");
  const body = JSON.stringify(known.payload);
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const times = [];
  for (let sent = 0; sent < WEBHOOKS; sent++) {
    const headers = {
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/bench",
      "x-github-event": "issues",
      "x-github-delivery": randomUUID(),
      "x-hub-signature-256": signature,
    };
    const started = performance.now();
    const response = await fetch(url, { method: "POST", headers, body });
    await response.arrayBuffer();
    times.push(performance.now() - started);
    if (!response.ok) throw new Error(`the webhook was answered with ${response.status}`);
  }
  return times;
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

function report({ startMs, first, runs, webhooks, idle, after }) {
  const round = (value) => Math.round(value * 10) / 10;
  const of = (key) =>
    round(
      quantile(
        runs.map((run) => run[key]),
        0.5,
      ),
    );
  const numbers = {
    issues: runs.length,
    startMs: round(startMs),
    first: Object.fromEntries(Object.entries(first).map(([key, value]) => [key, round(value)])),
    median: { eyesMs: of("eyesMs"), statusMs: of("statusMs"), pullMs: of("pullMs"), endMs: of("endMs") },
    webhook: {
      posts: webhooks.length,
      p50Ms: round(quantile(webhooks, 0.5)),
      p99Ms: round(quantile(webhooks, 0.99)),
      maxMs: round(Math.max(...webhooks)),
    },
    idle,
    after,
  };
  const shown = Math.max(numbers.median.eyesMs, numbers.median.statusMs);
  const rows = [
    ["label → 👀 and status comment, median ms", shown, LIMITS.statusMs],
    ["label → pull request, median ms", numbers.median.pullMs, LIMITS.pullMs],
    ["webhook answered, p99 ms", numbers.webhook.p99Ms, LIMITS.webhookMs],
    ["listener idle, MB resident", idle.listenerMb, LIMITS.listenerMb],
  ];
  const lines = rows.map(
    ([what, value, limit]) => `${what}: ${value} (limit ${limit}, ratio ${(value / limit).toFixed(2)})`,
  );
  lines.push(
    `first issue after the start: status ${numbers.first.statusMs} ms, pull request ${numbers.first.pullMs} ms`,
    `worker idle: ${idle.workerMb} MB; after ${runs.length} runs: listener ${after.listenerMb} MB, worker ${after.workerMb} MB`,
    `start until it listens: ${numbers.startMs} ms; webhook p50 ${numbers.webhook.p50Ms} ms`,
  );
  return { numbers, lines, isMet: rows.every(([, value, limit]) => value < limit) };
}
