import { type ChildProcess, fork } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { chmod, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { AccrueError, type Clock } from "../../shared/index.js";

/** The embedded GitHub, as far as the demo uses it. */
export interface StageForge {
  url: string;
  apiUrl: string;
  control: {
    addUser(login: string, options?: { type?: "User" | "Organization" }): { token: string };
    addRepository(input: {
      owner: string;
      name: string;
      files: Record<string, string>;
      collaborators: Record<string, "write">;
    }): Promise<unknown>;
    install(owner: string): number;
    setWebhook(url: string): void;
  };
  close(): Promise<void>;
}

export interface StageApp {
  id: number;
  clientId: string;
  slug: string;
  name: string;
  owner: string;
  privateKey: string;
  webhookSecret: string;
  permissions: Record<string, "read" | "write">;
  events: string[];
}

/** What sets the stage; `compose.ts` passes the doubles in. */
export interface StageDeps {
  clock: Clock;
  startForge(input: { root: string; app: StageApp }): Promise<StageForge>;
  /** Takes the text of a scenario file, and the time that the model's prompt cache goes by. */
  startModel(scenarios: string, clock: Clock): Promise<{ url: string; close(): Promise<void> }>;
  /** Whether the box works here, and why not. */
  sandbox(folder: string): Promise<{ usable: boolean; reason: string }>;
  nodePath: string;
  /** Entry point of the server. */
  server: URL;
  /** The package's `data/`: the demo's project and scenarios. */
  data: URL;
}

/** Everything the demo plays on, all of it real but the two doubles. */
export interface Stage {
  forge: StageForge;
  /** Token of the demo's person. */
  token: string;
  repository: string;
  /** Lets a day pass for the model, so that its prompt cache is cold again and no saving comes from there. */
  passDay(): void;
  /** Which box the agents' commands run in, and why. */
  sandbox: string;
  close(): Promise<void>;
}

const START_MS = 20_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const PERMISSIONS = {
  metadata: "read",
  contents: "write",
  issues: "write",
  pull_requests: "write",
  checks: "write",
} as const;
const EVENTS = [
  "issues",
  "issue_comment",
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "check_run",
];

/** Starts the embedded GitHub with a small project and a person, the scripted model, and the real server beside them. */
export async function setStage(deps: StageDeps): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "accrue-demo-"));
  // As root the box runs as another user, who has to be able to enter this folder.
  await chmod(folder, 0o711);
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const app: StageApp = {
    id: 4242,
    clientId: "Iv1.accruedemo",
    slug: "accrue",
    name: "Accrue",
    owner: "acme",
    privateKey,
    webhookSecret: randomBytes(16).toString("hex"),
    permissions: PERMISSIONS,
    events: EVENTS,
  };
  let aheadMs = 0;
  const modelClock: Clock = { now: () => deps.clock.now() + aheadMs };
  const [forge, model, box] = await Promise.all([
    deps.startForge({ root: join(folder, "git"), app }),
    deps.startModel(await readFile(new URL("scenarios/demo.json", deps.data), "utf8"), modelClock),
    deps.sandbox(join(folder, "box")),
  ]);
  const files = await readProject(new URL("demo/project/", deps.data));
  // Without a box the demo says so explicitly, as a repository would have to.
  if (!box.usable) files[".github/agent.yml"] = "sandbox: { level: none }\n";
  forge.control.addUser("acme", { type: "Organization" });
  const { token } = forge.control.addUser("maya");
  await forge.control.addRepository({
    owner: "acme",
    name: "roster",
    files,
    collaborators: { maya: "write" },
  });
  forge.control.install("acme");
  const server = await startServer(deps, { app, forge, modelUrl: model.url, data: join(folder, "data") });
  forge.control.setWebhook(`${server.url}/api/github/webhooks`);
  return {
    forge,
    token,
    repository: "acme/roster",
    passDay: () => {
      aheadMs += DAY_MS;
    },
    sandbox: box.usable ? box.reason : `none (set explicitly for the demo): ${box.reason}`,
    close: async () => {
      await server.close();
      await model.close();
      await forge.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function readProject(project: URL): Promise<Record<string, string>> {
  const entries = await readdir(project, { recursive: true, withFileTypes: true });
  const root = fileURLToPath(project);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    paths.map(async (path): Promise<[string, string]> => [
      relative(root, path),
      await readFile(path, "utf8"),
    ]),
  );
  return Object.fromEntries(texts);
}

async function startServer(
  deps: StageDeps,
  at: { app: StageApp; forge: StageForge; modelUrl: string; data: string },
): Promise<{ url: string; close(): Promise<void> }> {
  const child = fork(deps.server, [], {
    execPath: deps.nodePath,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      APP_ID: String(at.app.id),
      PRIVATE_KEY: at.app.privateKey,
      WEBHOOK_SECRET: at.app.webhookSecret,
      GHE_HOST: new URL(at.forge.url).host,
      GHE_PROTOCOL: "http",
      ACCRUE_DATA: at.data,
      HOST: "127.0.0.1",
      PORT: "0",
      ANTHROPIC_API_KEY: "scripted",
      ANTHROPIC_BASE_URL: at.modelUrl,
      ACCRUE_WRITE_SPACING_MS: "0",
      ACCRUE_SANDBOX: "as-configured",
      LOG_LEVEL: "warn",
    },
  });
  const url = await addressOf(child);
  return {
    url,
    close: async () => {
      const ended = new Promise<void>((resolve) => {
        child.once("exit", () => resolve());
      });
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM");
        await ended;
      }
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) =>
      reject(new AccrueError("WORKSPACE_FAILED", `The demo's server did not start: ${why}.`));
    const timer = setTimeout(() => fail(`no answer in ${START_MS / 1000} s`), START_MS);
    child.once("exit", (code) => fail(`it ended with ${code}`));
    // The server tells its worker's process id as well.
    child.on("message", (message: { url?: string }) => {
      if (message.url === undefined) return;
      clearTimeout(timer);
      resolve(message.url);
    });
  });
}
