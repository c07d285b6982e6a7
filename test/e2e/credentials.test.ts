import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { APP, type Stack, startStack, until } from "../support/stack.js";

const MODEL_KEY = "sk-ant-test-5d2f0c61";
const SIGNS = "ghs_[0-9a-f]{36}|BEGIN RSA PRIVAT[E]|a-secret-of-the-test[s]|sk-ant-tes[t]-";
// Looks everywhere it can from inside the box, says what it sees, and ends with a line that shows it came that far.
const LOOK_AROUND = [
  "env",
  // What the search below has to find, so that its silence about everything else says something.
  "printf 'ghs_%036d' 0 > /tmp/decoy",
  "cat /proc/[0-9]*/environ | tr '\\0' '\\n'",
  "cat /proc/[0-9]*/cmdline | tr '\\0' '\\n'",
  `timeout 20 grep -rIlE '${SIGNS}' / --exclude-dir=proc --exclude-dir=sys --exclude-dir=usr --exclude-dir=dev 2>/dev/null | sed 's/^/LEAK /'`,
  "echo LOOKED-AROUND",
].join("; ");

interface Scenario {
  name: string;
  turns: unknown[];
}

/** The demo's scenarios, whose first task begins with a look around. */
function curiousScenarios(): string {
  const scenarios = JSON.parse(
    readFileSync(new URL("../../data/scenarios/demo.json", import.meta.url), "utf8"),
  ) as Scenario[];
  const task = scenarios.find(({ name }) => name === "format-of-a-csv-export");
  task?.turns.unshift({ call: [{ tool: "run", input: { command: LOOK_AROUND } }] });
  return JSON.stringify(scenarios);
}

interface Seen {
  command: string;
  args: string[];
  environment: string[];
}

const givenLog = process.env["ACCRUE_FORGE_LOG"];
let folder: string;
let stack: Stack;
let watcher: ChildProcess;
let processes: Seen[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "accrue-seen-"));
  process.env["ACCRUE_FORGE_LOG"] ??= join(folder, "forge.jsonl");
  stack = await startStack({
    scenarios: curiousScenarios(),
    env: { LOG_LEVEL: "trace", ANTHROPIC_API_KEY: MODEL_KEY },
  });
  const seen = join(folder, "processes.jsonl");
  watcher = spawn(
    process.execPath,
    [fileURLToPath(new URL("../support/process-watch.mjs", import.meta.url)), stack.data, seen],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await once(watcher.stdout ?? watcher, "data");

  const issue = await stack.openIssue("add CSV export to the user module", "Please.");
  await stack.comment(issue, "@agent remember exports live in src/export");
  await stack.ended(issue);
  await until("the knowledge pull request", async () =>
    (await stack.pulls()).some(({ head }) => head.ref === "agent/knowledge"),
  );
  watcher.kill("SIGKILL");
  // Nothing changes any more while it is looked through.
  await stack.kill();
  processes = readFileSync(seen, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Seen);
}, 90_000);
afterAll(async () => {
  if (givenLog === undefined) delete process.env["ACCRUE_FORGE_LOG"];
  watcher.kill("SIGKILL");
  await stack.close();
  rmSync(folder, { recursive: true });
});

/** What must be nowhere: each secret in the forms in which it travels. */
function secrets(): string[] {
  const tokens = stack.forge.control.installationTokens();
  const basics = tokens.map((token) => Buffer.from(`x-access-token:${token}`).toString("base64"));
  const key = APP.privateKey.split("\n").filter((line) => line.length > 40);
  return [...tokens, ...basics, ...key, APP.webhookSecret, MODEL_KEY];
}
const leaksIn = (text: string) => secrets().filter((secret) => text.includes(secret));

/** The texts of the tool results in a request to the model. */
function resultsIn(body: unknown): string[] {
  const { messages } = body as { messages: { content: string | { type: string; content?: unknown }[] }[] };
  const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  return blocks.flatMap(({ type, content }) =>
    type === "tool_result"
      ? [
          typeof content === "string"
            ? content
            : (content as { text: string }[]).map(({ text }) => text).join(""),
        ]
      : [],
  );
}

describe("credentials", () => {
  it("are in no argument of any process, and in the environment of the server and of git alone", () => {
    expect(processes.flatMap(({ args }) => leaksIn(args.join("\n")))).toEqual([]);
    const ours = (seen: Seen) => seen.args.some((arg) => arg.endsWith("dist/server.js"));
    const holders = processes.filter(
      (seen) => !ours(seen) && leaksIn(seen.environment.join("\n")).length > 0,
    );
    expect(
      [...new Set(holders.map(({ command }) => command))].filter((command) => !command.startsWith("git")),
    ).toEqual([]);
    // It was looked closely enough to see the header for git where it belongs, and nothing else of ours beside it.
    expect(holders.length).toBeGreaterThan(0);
    const lines = holders.flatMap(({ environment }) =>
      environment.filter((line) => leaksIn(line).length > 0),
    );
    expect(lines.filter((line) => !line.startsWith("GIT_CONFIG_VALUE_0=Authorization: Basic "))).toEqual([]);
  });

  it("are in no file of the data folder: mirrors, checkouts, transcripts, caches, databases", () => {
    const files = readdirSync(stack.data, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const paths = files.map((entry) => join(entry.parentPath, entry.name));
    expect(paths.some((path) => path.endsWith("mirror.git/config"))).toBe(true);
    expect(paths.some((path) => path.includes("/transcripts/"))).toBe(true);
    expect(paths.filter((path) => leaksIn(readFileSync(path, "latin1")).length > 0)).toEqual([]);
  });

  it("are in no log line at the finest level, and not in the forge's record of what passed", () => {
    expect(stack.log()).toContain("delivery received");
    expect(leaksIn(stack.log())).toEqual([]);
    const record = readFileSync(process.env["ACCRUE_FORGE_LOG"] ?? "", "utf8");
    expect(record).toContain("access_tokens");
    expect(leaksIn(record)).toEqual([]);
  });

  it("are in nothing that people read: comments, pull requests, checks, commits", async () => {
    const pulls = await stack.pulls("all");
    const numbers = [1, ...pulls.map(({ number }) => number)];
    const comments = await Promise.all(numbers.map((number) => stack.comments(number)));
    const checks = await Promise.all(
      pulls.map(({ head }) => stack.as("maya", "GET", `/commits/${head.sha}/check-runs`)),
    );
    expect(leaksIn(JSON.stringify([pulls, comments, checks]))).toEqual([]);
  });

  it("are not to be found from inside the agent's box", () => {
    const asked = JSON.stringify(stack.model.requests().map(({ body }) => body));
    expect(leaksIn(asked)).toEqual([]);
    const results = stack.model.requests().flatMap(({ body }) => resultsIn(body));
    const seen = results.find((text) => text.includes("LOOKED-AROUND")) ?? "";
    expect(seen).toMatch(/^HOME=/m);
    expect(seen.match(/^LEAK .*$/gm)).toEqual(["LEAK /tmp/decoy"]);
    expect(seen).not.toMatch(/GIT_CONFIG_VALUE|WEBHOOK_SECRET=|PRIVATE_KEY=|ANTHROPIC_API_KEY=/m);
  });
});
