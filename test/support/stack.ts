// The whole product for a test: the embedded forge and the scripted model in this process, the real server and its worker as
// processes of their own (from dist/), on a data folder that survives their death.
import { type ChildProcess, fork } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Forge,
  type ForgeApp,
  type NewRepository,
  parseScenarios,
  startForge,
  startScriptedModel,
} from "../../src/forge/index.js";
import { APP } from "./app.js";

export { APP } from "./app.js";

type ScriptedModel = Awaited<ReturnType<typeof startScriptedModel>>;

export interface StackOptions {
  /** JSON of scenarios; default: the demo's. */
  scenarios?: string;
  /** Files of acme/roster; default: the demo's project. Null: a repository without commits. */
  files?: Record<string, string> | null;
  repository?: Partial<NewRepository>;
  /** `.github/agent.yml`. */
  config?: string;
  env?: Record<string, string>;
  /** The App on GitHub's side; default: as app.yml describes it. */
  app?: Partial<ForgeApp>;
  /** False: the server is not started yet. */
  start?: boolean;
}

export interface Stack {
  forge: Forge;
  model: ScriptedModel;
  data: string;
  repository: string;
  /** Tokens: maya may write, otto may read. */
  tokens: { maya: string; otto: string };
  webhookUrl: string;
  /** Calls GitHub's REST API as a person; throws on a status of 400 and above unless it is expected. */
  as(person: "maya" | "otto", method: string, path: string, body?: unknown): Promise<unknown>;
  openIssue(title: string, body?: string | null, label?: string | null): Promise<number>;
  comment(number: number, body: string, person?: "maya" | "otto"): Promise<number>;
  comments(number: number): Promise<{ id: number; body: string; user: { login: string } | null }[]>;
  /** Text of the status comment; empty when there is none. */
  status(issue: number): Promise<string>;
  /** Waits until the first line of the status comment begins with one of these signs. */
  ended(issue: number, signs?: string): Promise<string>;
  pulls(state?: "open" | "all"): Promise<Pull[]>;
  /** Lets a day pass for the model, whose prompt cache is cold then. */
  passDay(): void;
  /** What the server finds in its environment. */
  environment(): Record<string, string>;
  startServer(): Promise<void>;
  /** SIGKILL of server and worker, as a crash would end them. */
  kill(): Promise<void>;
  /** All that server and worker wrote so far, and their process ids. */
  log(): string;
  pids(): number[];
  close(): Promise<void>;
}

export interface Pull {
  number: number;
  title: string;
  body: string;
  state: string;
  draft: boolean;
  merged_at: string | null;
  node_id: string;
  mergeable?: boolean | null;
  head: { ref: string; sha: string };
  base: { ref: string };
}

/** Tries until it holds, the longer it takes the more seldom; fails with what it waited for. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | null | false | undefined>,
  timeoutMs = 60_000,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.2, 150)) {
    const found = await probe();
    if (found !== null && found !== false && found !== undefined) return found;
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** An issue as GitHub takes it: without a text there is no `body`. */
export function withBody(title: string, body: string | null): { title: string; body?: string } {
  return body === null ? { title } : { title, body };
}

/** The files of a folder of the package, path → text. */
export function readFolder(folder: string): Record<string, string> {
  const root = fileURLToPath(new URL(`../../${folder}`, import.meta.url));
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(root, path), readFileSync(path, "utf8")]),
  );
}

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const folder = mkdtempSync(join(tmpdir(), "accrue-stack-"));
  chmodSync(folder, 0o711);
  const clock = { now: () => Date.now() };
  const forge = await startForge({
    root: join(folder, "git"),
    app: { ...APP, ...options.app },
    clock,
    logFile: process.env["ACCRUE_FORGE_LOG"] ?? null,
  });
  const scenarios =
    options.scenarios ?? readFileSync(new URL("../../data/scenarios/demo.json", import.meta.url), "utf8");
  let aheadMs = 0;
  const modelClock = { now: () => Date.now() + aheadMs };
  const model = await startScriptedModel({ scenarios: parseScenarios(scenarios), clock: modelClock });
  const { control } = forge;
  control.addUser("acme", { type: "Organization" });
  const tokens = { maya: control.addUser("maya").token, otto: control.addUser("otto").token };
  const base = options.files === undefined ? readFolder("data/demo/project") : options.files;
  const files = base && {
    ...base,
    ...(options.config === undefined ? {} : { ".github/agent.yml": options.config }),
  };
  await control.addRepository({
    owner: "acme",
    name: "roster",
    collaborators: { maya: "write", otto: "read" },
    ...(files ? { files } : {}),
    ...options.repository,
  });
  control.install("acme");
  const repository = `acme/${options.repository?.name ?? "roster"}`;
  let child: ChildProcess | null = null;
  let worker: number | null = null;
  let webhookUrl = "";
  let port = 0;
  let log = "";

  async function as(person: "maya" | "otto", method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${forge.apiUrl}/repos/${repository}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${tokens[person]}`,
        "user-agent": "test",
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} gave ${response.status}: ${text}`);
    return text ? JSON.parse(text) : null;
  }

  function environment(): Record<string, string> {
    return {
      PATH: process.env["PATH"] ?? "",
      APP_ID: String(APP.id),
      PRIVATE_KEY: APP.privateKey,
      WEBHOOK_SECRET: APP.webhookSecret,
      GHE_HOST: new URL(forge.url).host,
      GHE_PROTOCOL: "http",
      ACCRUE_DATA: join(folder, "data"),
      HOST: "127.0.0.1",
      PORT: String(port),
      ANTHROPIC_API_KEY: "scripted",
      ANTHROPIC_BASE_URL: model.url,
      ACCRUE_WRITE_SPACING_MS: "0",
      LOG_LEVEL: "info",
      ...options.env,
    };
  }

  async function startServer(): Promise<void> {
    const started = fork(fileURLToPath(new URL("../../dist/server.js", import.meta.url)), [], {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: environment(),
    });
    started.stdout?.on("data", (chunk: Buffer) => {
      log += chunk.toString();
    });
    started.stderr?.on("data", (chunk: Buffer) => {
      log += chunk.toString();
      process.stderr.write(chunk);
    });
    child = started;
    webhookUrl = await new Promise<string>((resolve, reject) => {
      started.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${log.slice(-2000)}`)));
      started.on("message", (message: { url?: string; worker?: number }) => {
        if (message.worker !== undefined) worker = message.worker;
        if (message.url !== undefined) resolve(`${message.url}/api/github/webhooks`);
      });
    });
    port = Number(new URL(webhookUrl).port);
    control.setWebhook(webhookUrl);
  }

  function pids(): number[] {
    return [child?.pid, worker].filter((pid): pid is number => typeof pid === "number");
  }

  async function kill(): Promise<void> {
    const last = child;
    if (!last || last.exitCode !== null || last.signalCode !== null) return;
    const ended = new Promise((resolve) => last.once("exit", resolve));
    for (const pid of pids()) {
      try {
        process.kill(pid, "SIGKILL");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
    await ended;
    child = null;
    worker = null;
  }

  const stack: Stack = {
    forge,
    model,
    data: join(folder, "data"),
    repository,
    tokens,
    get webhookUrl() {
      return webhookUrl;
    },
    as,
    openIssue: async (title, body = null, label = "agent") => {
      const { number } = (await as("maya", "POST", "/issues", withBody(title, body))) as { number: number };
      if (label !== null) await as("maya", "POST", `/issues/${number}/labels`, { labels: [label] });
      return number;
    },
    comment: async (number, body, person = "maya") =>
      ((await as(person, "POST", `/issues/${number}/comments`, { body })) as { id: number }).id,
    comments: async (number) => {
      const all: { id: number; body: string; user: { login: string } | null }[] = [];
      for (let page = 1; ; page++) {
        const some = (await as(
          "maya",
          "GET",
          `/issues/${number}/comments?per_page=100&page=${page}`,
        )) as typeof all;
        all.push(...some);
        if (some.length < 100) return all;
      }
    },
    status: async (issue) =>
      (await stack.comments(issue)).find(({ body }) => body.includes("<!-- accrue:status"))?.body ?? "",
    ended: (issue, signs = "✅❌⏸") =>
      until(
        `the end of #${issue}`,
        async () => {
          const text = await stack.status(issue);
          const line = text.split("\n").find((candidate) => /^[✅❌⏸⏳]/u.test(candidate)) ?? "";
          return line !== "" && signs.includes(line[0] ?? "") ? text : null;
        },
        60_000,
      ),
    pulls: async (state = "open") =>
      (await as("maya", "GET", `/pulls?state=${state}&per_page=100`)) as Pull[],
    passDay: () => {
      aheadMs += 24 * 60 * 60 * 1000;
    },
    environment,
    startServer,
    kill,
    log: () => log,
    pids,
    close: async () => {
      await kill();
      await model.close();
      await forge.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  if (options.start !== false) await startServer();
  return stack;
}
