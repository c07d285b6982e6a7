import { fork } from "node:child_process";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { runAction } from "./action/index.js";
import { createDeliveryReader, createJobs, createListener, createWorker, type ReadDelivery, superviseWorker } from "./app/index.js";
import {
  type CommandEnd,
  type LocalRepository,
  type Output,
  type StageForge,
  createCommands,
  createTerminalFront,
  demoCommand,
  machineChecks,
  runProgram,
  savePages,
} from "./cli/index.js";
import { AgentConfig, CONFIG_PATH, apiUrl, checkConfig, configSchema, createRemoteConfig, gitHubAccess, loadConfig, readServerEnv } from "./config/index.js";
import { openDatabase } from "./db/index.js";
import { parseScenarios, startForge, startScriptedModel } from "./forge/index.js";
import { createGit } from "./git/index.js";
import { type GitHub, createGitHub } from "./github/index.js";
import { type Ledger, createLedger, renderBill } from "./ledger/index.js";
import { createModel, loadPrices } from "./model/index.js";
import { type Engine, type EngineDeps, type Log, type Settings, type Stop, createEngine, createGitHubDoors, showActivity } from "./orchestrator/index.js";
import { createQueue, createRoster } from "./queue/index.js";
import { AccrueError, type Clock, createUlids } from "./shared/index.js";
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
  nodeVersion: string;
  random(): number;
}

/** A process that a person or a workflow started. */
export interface CommandSystem extends System {
  argv: readonly string[];
  output: Output;
  signal: AbortSignal;
}

/** What an engine is put together from, besides the system. */
interface EngineParts {
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
const CONFIG_TTL_MS = 30_000;
const MAX_BODY_BYTES = 25 * 1024 * 1024;
const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const packaged = (path: string) => new URL(`../${path}`, import.meta.url);
const pathOf = (system: System) => system.env["PATH"] ?? SYSTEM_PATH;
const NOTHING_RUNS_ELSEWHERE: Stop = () => ({ removed: 0, signalled: 0 });

function workspacesIn(system: System, data: string): ReturnType<typeof workspacesBySandbox> {
  return workspacesBySandbox({ clock: system.clock }, { data, path: pathOf(system), nodePath: system.nodePath, uid: system.uid });
}

/** Puts the engine together: the same for App, Action and command line. */
function composeEngine(system: System, parts: EngineParts): Engine {
  const { clock, random } = system;
  const { data, ledger, modelKey: apiKey, modelUrl } = parts;
  const newId = createUlids(clock);
  const workspaces = workspacesIn(system, data);
  const baselines = createBaselines(join(data, "baselines"));
  const prices = loadPrices(packaged("data/prices.json"));
  const deps: EngineDeps = {
    clock,
    newId,
    log: parts.log,
    doors: parts.doors,
    settings: parts.settings,
    ledger,
    skills: loadSkills(packaged("rules/")),
    registry: createRegistry(builtinTools()),
    model: ({ model }) =>
      createModel({ clock, newId, record: ledger.record, random }, { apiKey, tiers: model, prices, ...(modelUrl ? { baseUrl: modelUrl } : {}) }),
    openMirror: ({ ask, doors, settings }, signal) =>
      workspaces(settings.sandbox).mirror({ repository: ask.repository, remote: doors.remote, identity: doors.identity }, signal),
    openWorkspace: ({ settings, ...input }, signal) => workspaces(settings.sandbox).open(input, signal),
    setUp: (workspace, { setup }, signal) => setUp(workspace, { ...setup, cache: setup.cache ? join(data, "cache") : null }, signal),
    baseline: async ({ key, isUntouched }, observe) => {
      const known = await baselines.read(key);
      if (known || !isUntouched) return known;
      const seen = await observe();
      await baselines.keep(key, seen);
      return seen;
    },
    runFolder: async (run) => {
      const folder = join(data, "transcripts", run);
      await mkdir(join(folder, "outputs"), { recursive: true, mode: 0o700 });
      return folder;
    },
    bill: ({ requirement, language, budgetUsd, repository }) => {
      const bill = ledger.bill({ repository, requirement });
      return bill.totals.calls === 0 ? "" : renderBill(bill, { language, budgetUsd, similar: [], links: { requirement: null, trace: null } });
    },
    onAgentEvent: showActivity,
  };
  return createEngine(deps, parts.stop);
}

/** Settings of repositories on GitHub, for whoever reads events and for the engine. */
function composeSettings(system: System, github: GitHub, isBoxRequired: boolean) {
  const read = createRemoteConfig(
    { clock: system.clock, read: (place, path, ref) => github.repository(place).readFile(path, ref) },
    { isBoxRequired, ttlMs: CONFIG_TTL_MS },
  );
  const ofAsk: EngineDeps["settings"] = ({ repository, installation, defaultBranch }): Promise<Settings> => read({ ...repository, installation, defaultBranch });
  const reader = createDeliveryReader({ settings: read, defaults: AgentConfig.parse({}), identity: github.identity });
  return { ofAsk, reader };
}

function openServer(system: System) {
  const env = readServerEnv(system.env);
  const log = pino({ level: env.LOG_LEVEL });
  const db = openDatabase(join(env.ACCRUE_DATA, "accrue.db"));
  const queue = createQueue(db, { clock: system.clock, newId: createUlids(system.clock) }, { leaseMs: LEASE_MS, maxAttempts: MAX_ATTEMPTS });
  return { env, log, queue, ledger: createLedger(db), close: () => db.close() };
}

/** The listener: verifies, persists and answers deliveries, and keeps the worker process beside it alive. */
export async function startServer(system: System, workerStarted: (pid: number) => void = () => {}): Promise<{ url: string; close(): Promise<void> }> {
  const { env, log, queue, close } = openServer(system);
  const startWorkerProcess = () => fork(fileURLToPath(new URL("./server.js", import.meta.url)), ["worker"]);
  const worker = superviseWorker({ start: startWorkerProcess, started: workerStarted, clock: system.clock, log });
  const webhookSecrets = env.WEBHOOK_SECRET.split(",").map((secret) => secret.trim());
  const listener = createListener(
    { receive: queue.receive, wake: worker.wake, health: () => ({ ok: true, jobs: queue.counts() }), log },
    { appId: env.APP_ID, privateKey: env.PRIVATE_KEY, webhookSecrets, port: env.PORT, host: env.HOST, baseUrl: apiUrl(env), maxBodyBytes: MAX_BODY_BYTES },
  );
  const { port } = await listener.start();
  const url = `http://${env.HOST}:${port}`;
  log.info({ url }, "listening");
  return {
    url,
    close: async () => {
      await listener.close();
      await worker.close();
      close();
    },
  };
}

/** The worker: reads deliveries, answers control intents at once, and does the long work. */
export function startWorker(system: System): { wake(): void; close(): Promise<void> } {
  const { clock } = system;
  const { env, log, queue, ledger, close } = openServer(system);
  const auth = { kind: "app" as const, appId: env.APP_ID, privateKey: env.PRIVATE_KEY };
  const writeSpacingMs = env.ACCRUE_WRITE_SPACING_MS ?? null;
  const github = createGitHub({ clock, log }, { baseUrl: apiUrl(env), auth, writeSpacingMs });
  const settings = composeSettings(system, github, env.ACCRUE_SANDBOX === "box");
  const engine = composeEngine(system, {
    data: env.ACCRUE_DATA,
    ledger,
    log,
    settings: settings.ofAsk,
    stop: queue.requestStop,
    doors: createGitHubDoors({ github, clock, log }, { statusIntervalMs: writeSpacingMs === 0 ? 0 : STATUS_INTERVAL_MS }),
    modelKey: env.ANTHROPIC_API_KEY ?? "",
    modelUrl: env.ANTHROPIC_BASE_URL,
  });
  const roster = createRoster(join(env.ACCRUE_DATA, "workers"));
  const name = createUlids(clock)();
  const membership = roster.join(name);
  const worker = createWorker(
    { queue, log, clock, isDead: roster.isDead, ...createJobs({ queue, engine, read: settings.reader }) },
    { name, runSlots: env.ACCRUE_WORKERS, routeSlots: ROUTE_SLOTS, pollMs: WORKER_POLL_MS, heartbeatMs: HEARTBEAT_MS },
  );
  worker.start();
  roster.sweep();
  return {
    wake: worker.wake,
    close: async () => {
      await worker.close(env.ACCRUE_GRACE_MS);
      membership.leave();
      close();
    },
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
    stop: NOTHING_RUNS_ELSEWHERE,
    settings: () => loadConfig({ owner: "local", name: "local" }, ({ name }, path) => (name === "local" ? repository.read(path) : Promise.resolve(null))),
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
function composeGitHub(system: System, data: string): { read: ReadDelivery; engine: Engine } {
  const { env, clock } = system;
  const log = pino({ level: env["LOG_LEVEL"] ?? "warn" }, pino.destination(2));
  const access = gitHubAccess(env);
  if (!access) throw new AccrueError("CONFIG_MISSING", "There are no credentials for GitHub: set GITHUB_TOKEN, or APP_ID and PRIVATE_KEY.");
  const spacing = env["ACCRUE_WRITE_SPACING_MS"];
  const github = createGitHub({ clock, log }, { ...access, writeSpacingMs: spacing ? Number(spacing) : null });
  const settings = composeSettings(system, github, false);
  const engine = composeEngine(system, {
    data,
    ledger: createLedger(openDatabase(join(data, "ledger.db"))),
    log,
    stop: NOTHING_RUNS_ELSEWHERE,
    settings: settings.ofAsk,
    doors: createGitHubDoors({ github, clock, log }, { statusIntervalMs: STATUS_INTERVAL_MS }),
    modelKey: env["ANTHROPIC_API_KEY"] ?? "",
    modelUrl: env["ANTHROPIC_BASE_URL"] || undefined,
  });
  return { engine, read: settings.reader };
}

/** One event of a GitHub Actions workflow run. Gives the exit status. */
export async function runActionStep(system: CommandSystem): Promise<number> {
  const { env, output, signal } = system;
  const { read, engine } = composeGitHub(system, join(env["RUNNER_TEMP"] ?? tmpdir(), "accrue"));
  const log = (line: string) => output.out(`${line}\n`);
  const { ok } = await runAction({ engine, read, log, readFile: (path) => readFile(path, "utf8"), appendFile }, env, signal);
  return ok ? 0 : 1;
}

/** The command line. Gives the exit status. */
export function runCli(system: CommandSystem): Promise<number> {
  const { output, signal, clock, env } = system;
  const git = createGit({ home: join(tmpdir(), `accrue-git-${system.uid}`), path: pathOf(system) });
  const commands = createCommands({
    git,
    clock,
    output,
    signal,
    local: (repository, modelUrl) => composeLocal(system, repository, modelUrl),
    gitHub: () => composeGitHub(system, join(tmpdir(), "accrue-replay")),
    startServer: () => startServer(system),
    demo: (input) => runDemo(system, input, () => Promise.resolve()),
    doctor: (folder) => {
      const access = gitHubAccess(env);
      const github = access ? createGitHub({ clock, log: pino({ level: "silent" }) }, { ...access, writeSpacingMs: 0 }) : null;
      const dataFolder = env["ACCRUE_DATA"] ?? join(folder, ".agent");
      return machineChecks({ ...system, git, folder, dataFolder, sandbox: () => sandboxReport(system, dataFolder), gitHub: github?.identity ?? null });
    },
    config: { path: CONFIG_PATH, schema: configSchema(), check: checkConfig },
    openLedger: (file) => createLedger(openDatabase(file)),
    rules: (folder) => fileURLToPath(packaged(`rules/${folder}`)),
  });
  return runProgram(system.argv, commands, output);
}

/** The demo, with a door for tests to change what was learnt between its two requirements. */
export function runDemo(system: CommandSystem, input: { keep: boolean }, between: (forge: StageForge) => Promise<void>): Promise<CommandEnd> {
  const { clock, output, env, nodePath, signal } = system;
  const { mention, label } = AgentConfig.parse({});
  const deps = {
    clock,
    output,
    mention,
    label,
    between,
    startForge: (start: Pick<Parameters<typeof startForge>[0], "root" | "app">) => startForge({ ...start, clock, logFile: env["ACCRUE_FORGE_LOG"] ?? null }),
    startModel: async () => startScriptedModel({ scenarios: parseScenarios(await readFile(packaged("data/scenarios/demo.json"), "utf8")), clock }),
    sandbox: (data: string) => sandboxReport(system, data),
    savePages: (forge: StageForge, paths: string[]) => savePages(forge.url, paths),
    nodePath,
    server: new URL("./server.js", import.meta.url),
    project: packaged("data/demo/project/"),
  };
  return demoCommand(deps, input, signal);
}

function sandboxReport(system: System, data: string) {
  return workspacesIn(system, data)(AgentConfig.parse({}).sandbox).sandbox();
}
