import { fork } from "node:child_process";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { createListener, createWorker, deliveryReader, superviseWorker } from "./app/index.js";
import { runAction } from "./action/index.js";
import {
  type Commands,
  type LocalRepository,
  type Output,
  createCommands,
  createTerminalFront,
  demoCommand,
  machineChecks,
  runProgram,
  savePages,
} from "./cli/index.js";
import { AgentConfig, apiUrl, checkConfig, createRemoteConfig, loadConfig, readServerEnv, type ServerEnv } from "./config/index.js";
import { openDatabase } from "./db/index.js";
import { parseScenarios, startForge, startScriptedModel } from "./forge/index.js";
import { createGit } from "./git/index.js";
import { createGitHub } from "./github/index.js";
import { createLedger, type Ledger, renderBill } from "./ledger/index.js";
import { createModel, loadPrices } from "./model/index.js";
import { type Engine, type EngineDeps, type Log, type Stop, createEngine, createGitHubDoors, showActivity } from "./orchestrator/index.js";
import { type Queue, createQueue } from "./queue/index.js";
import { type Clock, createUlids } from "./shared/index.js";
import { loadSkills } from "./skills/index.js";
import { builtinTools, createRegistry } from "./tools/index.js";
import { createBaselines } from "./validator/index.js";
import { setUp, workspacesBySandbox } from "./workspace/index.js";

/** What entry points read of the process; everything below gets it passed in. */
export interface System {
  clock: Clock;
  env: Readonly<Record<string, string | undefined>>;
  uid: number;
  nodePath: string;
  random(): number;
}

/** What an engine is put together from, besides the system. */
export interface EngineParts {
  /** Data folder: mirrors, checkouts, transcripts. */
  data: string;
  ledger: Ledger;
  log: Log;
  doors: EngineDeps["doors"];
  settings: EngineDeps["settings"];
  stop: Stop;
  modelUrl?: string | undefined;
  modelKey: string;
}

const LEASE_MS = 10_000;
const MAX_ATTEMPTS = 5;
const STATUS_INTERVAL_MS = 5_000;
const WORKER_POLL_MS = 500;
const HEARTBEAT_MS = 1_000;
const ROUTE_SLOTS = 8;
const SETTINGS_TTL_MS = 30_000;
const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Puts the engine together: the same for App, Action and command line. */
export function composeEngine(system: System, parts: EngineParts): Engine {
  const { clock } = system;
  const newId = createUlids(clock);
  const workspaces = workspacesBySandbox(
    { clock },
    { data: parts.data, path: system.env["PATH"] ?? SYSTEM_PATH, nodePath: system.nodePath, uid: system.uid },
  );
  const baselines = createBaselines(join(parts.data, "baselines"));
  const prices = loadPrices(new URL("../data/prices.json", import.meta.url));
  const deps: EngineDeps = {
    clock,
    newId,
    log: parts.log,
    skills: loadSkills(new URL("../rules/", import.meta.url)),
    registry: createRegistry(builtinTools()),
    ledger: parts.ledger,
    model: ({ model }) =>
      createModel(
        { clock, newId, record: parts.ledger.record, random: system.random },
        { apiKey: parts.modelKey, tiers: model, prices, ...(parts.modelUrl ? { baseUrl: parts.modelUrl } : {}) },
      ),
    doors: parts.doors,
    settings: parts.settings,
    openMirror: ({ ask, doors, settings }, signal) =>
      workspaces(settings.sandbox).mirror({ repository: ask.repository, remote: doors.remote, identity: doors.identity }, signal),
    openWorkspace: ({ settings, ...input }, signal) => workspaces(settings.sandbox).open(input, signal),
    setUp: (workspace, { setup }, signal) =>
      setUp(workspace, { ...setup, cache: setup.cache ? join(parts.data, "cache") : null }, signal),
    baseline: async ({ key, isUntouched }, observe) => {
      const known = await baselines.read(key);
      if (known || !isUntouched) return known;
      const seen = await observe();
      await baselines.keep(key, seen);
      return seen;
    },
    runFolder: async (run) => {
      const folder = join(parts.data, "transcripts", run);
      await mkdir(join(folder, "outputs"), { recursive: true, mode: 0o700 });
      return folder;
    },
    bill: ({ requirement, language, budgetUsd, repository }) => {
      const bill = parts.ledger.bill({ repository, requirement });
      if (bill.totals.calls === 0) return "";
      return renderBill(bill, { language, budgetUsd, similar: [], links: { requirement: null, trace: null } });
    },
    onAgentEvent: showActivity,
  };
  return createEngine(deps, parts.stop);
}

interface ServerStores {
  env: ServerEnv;
  log: pino.Logger;
  queue: Queue;
  ledger: Ledger;
  close(): void;
}

function openServer(system: System): ServerStores {
  const env = readServerEnv(system.env);
  const log = pino({ level: env.LOG_LEVEL });
  const db = openDatabase(join(env.ACCRUE_DATA, "accrue.db"));
  const queue = createQueue(db, { clock: system.clock, newId: createUlids(system.clock) }, { leaseMs: LEASE_MS, maxAttempts: MAX_ATTEMPTS });
  return { env, log, queue, ledger: createLedger(db), close: () => db.close() };
}

/** The listener: verifies, persists and answers deliveries, and keeps the worker process beside it alive. */
export async function startServer(system: System): Promise<{ url: string; close(): Promise<void> }> {
  const { env, log, queue, close } = openServer(system);
  const worker = superviseWorker({
    start: () => fork(fileURLToPath(new URL("./server.js", import.meta.url)), ["worker"]),
    clock: system.clock,
    log,
  });
  const listener = await createListener(
    { receive: queue.receive, wake: worker.wake, health: () => ({ ok: true, jobs: queue.counts() }), log },
    {
      appId: env.APP_ID,
      privateKey: env.PRIVATE_KEY,
      webhookSecrets: env.WEBHOOK_SECRET.split(",").map((secret) => secret.trim()),
      port: env.PORT,
      host: env.HOST,
      baseUrl: apiUrl(env),
    },
  );
  log.info({ url: listener.url }, "listening");
  return {
    url: listener.url,
    close: async () => {
      await listener.close();
      await worker.close();
      close();
    },
  };
}

/** The worker: reads deliveries, answers control intents at once, and does the long work. */
export async function startWorker(system: System): Promise<{ wake(): void; close(): Promise<void> }> {
  const { env, log, queue, ledger, close } = openServer(system);
  const github = createGitHub(
    { clock: system.clock, log },
    {
      baseUrl: apiUrl(env),
      auth: { kind: "app", appId: env.APP_ID, privateKey: env.PRIVATE_KEY },
      writeSpacingMs: env.ACCRUE_WRITE_SPACING_MS ?? null,
    },
  );
  const settings = createRemoteConfig(
    { clock: system.clock, read: (place, path, ref) => github.repository(place).readFile(path, ref) },
    { isBoxRequired: env.ACCRUE_SANDBOX === "box", ttlMs: SETTINGS_TTL_MS },
  );
  const engine = composeEngine(system, {
    data: env.ACCRUE_DATA,
    ledger,
    log,
    settings: (ask) => settings({ ...ask.repository, installation: ask.installation, defaultBranch: ask.defaultBranch }),
    stop: queue.requestStop,
    doors: createGitHubDoors({ github, clock: system.clock, log }, { statusIntervalMs: env.ACCRUE_WRITE_SPACING_MS === 0 ? 0 : STATUS_INTERVAL_MS }),
    modelKey: env.ANTHROPIC_API_KEY ?? "",
    modelUrl: env.ANTHROPIC_BASE_URL,
  });
  const reader = deliveryReader({ queue, engine, settings, defaults: AgentConfig.parse({}), identity: github.identity, baseUrl: apiUrl(env) });
  const worker = createWorker(
    { queue, log, clock: system.clock, ...reader },
    { name: `worker-${system.clock.now()}`, runSlots: env.ACCRUE_WORKERS, routeSlots: ROUTE_SLOTS, pollMs: WORKER_POLL_MS, heartbeatMs: HEARTBEAT_MS },
  );
  worker.start();
  return {
    wake: worker.wake,
    close: async () => {
      await worker.close(env.ACCRUE_GRACE_MS);
      close();
    },
  };
}

/** A process that a person or a workflow started. */
export interface CommandSystem extends System {
  argv: readonly string[];
  output: Output;
  signal: AbortSignal;
}

/** The command line. Gives the exit status. */
export function runCli(system: CommandSystem): Promise<number> {
  const { output, signal, clock, env } = system;
  const git = createGit({ home: join(tmpdir(), `accrue-git-${system.uid}`), path: env["PATH"] ?? SYSTEM_PATH });
  const commands = createCommands({
    git,
    clock,
    output,
    signal,
    local: (repository, modelUrl) => composeLocal(system, repository, modelUrl),
    gitHub: () => composeGitHub(system, join(tmpdir(), "accrue-replay")),
    startServer: () => startServer(system),
    demo: (input) => runDemo(system, input, () => Promise.resolve()),
    doctor: (folder) => machineChecks(machine(system, git, folder)),
    config: { path: CONFIG_PATH, schema: configSchema(), check: checkConfig },
    openLedger: (file) => createLedger(openDatabase(file)),
    rules: (folder) => fileURLToPath(new URL(`../rules/${folder}`, import.meta.url)),
  });
  return runProgram(system.argv, commands, output);
}

function machine(system: CommandSystem, git: Git, folder: string): MachineDeps {
  const { env, signal } = system;
  const dataFolder = env["ACCRUE_DATA"] ?? join(folder, ".agent");
  const access = gitHubAccess(env);
  const log = pino({ level: "silent" });
  return {
    git,
    signal,
    env,
    folder,
    dataFolder,
    nodeVersion: system.nodeVersion,
    sandbox: () => sandboxReport(system, dataFolder),
    gitHub: access ? () => createGitHub({ clock: system.clock, log }, { ...access, writeSpacingMs: 0 }).identity() : null,
    config: async () => checkConfig((await readOptional(join(folder, CONFIG_PATH))) ?? "", CONFIG_PATH),
  };
}

/** The engine on a person's own repository: the same runs, ending in a branch, shown in the terminal. */
function composeLocal(system: CommandSystem, repository: LocalRepository, modelUrl: string | null): { engine: Engine; ledger: Ledger } {
  const { env, output } = system;
  const ledger = createLedger(openDatabase(join(repository.data, "ledger.db")));
  const tokensOf = (run: string) =>
    ledger.entries({ run }).reduce((sum, { usage }) => sum + usage.input + usage.cacheRead + usage.cacheWrite + usage.output, 0);
  const engine = composeEngine(system, {
    data: repository.data,
    ledger,
    log: pino({ level: "silent" }),
    stop: () => ({ removed: 0, signalled: 0 }),
    settings: () => loadConfig({ owner: "", name: "" }, async ({ name }, path) => (name === "" ? repository.read(path) : null)),
    doors: () =>
      Promise.resolve({
        port: null,
        self: "accrue",
        identity: { name: "Accrue", email: "accrue@localhost" },
        remote: { url: repository.root, authorization: () => Promise.resolve(null) },
        front: () => createTerminalFront(output, tokensOf),
      }),
    modelKey: env["ANTHROPIC_API_KEY"] ?? (modelUrl ? "none" : ""),
    modelUrl: modelUrl ?? env["ANTHROPIC_BASE_URL"],
  });
  return { engine, ledger };
}

/** The engine on GitHub for one process with a token or the App's credentials: the Action, and a replayed delivery. */
function composeGitHub(system: System, at: { data: string; key: string }): { read: DeliveryReader["read"]; engine: Engine } {
  const { env, clock } = system;
  const log = pino({ level: env["LOG_LEVEL"] ?? "warn" }, pino.destination(2));
  const { baseUrl, auth } = gitHubAccess(env);
  const github = createGitHub({ clock, log }, { baseUrl, auth, writeSpacingMs: env["ACCRUE_WRITE_SPACING_MS"] === undefined ? null : Number(env["ACCRUE_WRITE_SPACING_MS"]) });
  const settings = remoteConfig(system, github, false);
  const engine = composeEngine(system, {
    data: at.data,
    ledger: createLedger(openDatabase(join(at.data, "ledger.db"))),
    log,
    stop: () => ({ removed: 0, signalled: 0 }),
    settings: (ask) => settings({ ...ask.repository, installation: ask.installation, defaultBranch: ask.defaultBranch }),
    doors: createGitHubDoors({ github, clock, log }, { statusIntervalMs: STATUS_INTERVAL_MS }),
    modelKey: env["ANTHROPIC_API_KEY"] ?? "",
    modelUrl: env["ANTHROPIC_BASE_URL"],
  });
  return { engine, read: createDeliveryReader({ settings, identity: github.identity }, { baseUrl }).read };
}

/** One event of a GitHub Actions workflow run. Gives the exit status. */
export async function runActionStep(system: CommandSystem): Promise<number> {
  const { env, output } = system;
  const data = join(env["RUNNER_TEMP"] ?? tmpdir(), "accrue");
  const { read, engine } = composeGitHub(system, { data, key: env["GITHUB_RUN_ID"] ?? "" });
  const log = (line: string) => output.out(`${line}\n`);
  const { ok } = await runAction({ engine, read, log, readFile: (path) => readFile(path, "utf8"), appendFile }, env, system.signal);
  return ok ? 0 : 1;
}

/** The demo, with a door for tests to change what was learnt between its two requirements. */
export function runDemo(system: CommandSystem, input: { keep: boolean }, between: (forge: StageForge) => Promise<void>): Promise<CommandEnd> {
  const { clock, output, env } = system;
  const here = (path: string) => new URL(path, import.meta.url);
  const { mention, label } = AgentConfig.parse({});
  return demoCommand(
    {
      clock,
      output,
      mention,
      label,
      between,
      startForge: ({ root, app }) => startForge({ root, app, clock, logFile: env["ACCRUE_FORGE_LOG"] ?? null }),
      startModel: async () => startScriptedModel({ scenarios: parseScenarios(await readFile(here("../data/scenarios/demo.json"), "utf8")), clock }),
      sandbox: (data) => sandboxReport(system, data),
      savePages: (forge, paths) => savePages(forge.url, paths),
      nodePath: system.nodePath,
      server: here("./server.js"),
      project: here("../data/demo/project/"),
    },
    input,
    system.signal,
  );
}

function sandboxReport(system: System, data: string): ReturnType<Workspaces["sandbox"]> {
  return workspacesOf(system, data)(AgentConfig.parse({}).sandbox).sandbox();
}
