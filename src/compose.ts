import { fork } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { runAction } from "./action/index.js";
import {
  type ReadDelivery,
  type Running,
  createDefaultReader,
  createDeliveryReader,
  openStores,
  runListener,
  runWorker,
} from "./app/index.js";
import {
  type CommandEnd,
  type CommandSystem,
  type LocalRepository,
  type ModelAccess,
  type StageForge,
  createCommands,
  createGitHubRemote,
  createLocalDoors,
  demoCommand,
  runProgram,
  versionIn,
} from "./cli/index.js";
import {
  AgentConfig,
  CONFIG_PATH,
  appAccess,
  checkConfig,
  configSchema,
  createRemoteConfig,
  gitHubAccess,
  requireGitHubAccess,
  listenerOptions,
  loadLocalConfig,
  readServerEnv,
  requireModelAccess,
  type OperatorFile,
  workerOptions,
} from "./config/index.js";
import { openCode } from "./context/index.js";
import { openDatabase } from "./db/index.js";
import { createGit, createHostedGit } from "./git/index.js";
import { type GitHub, createGitHub } from "./github/index.js";
import { type Ledger, createLedger } from "./ledger/index.js";
import { createModels, loadPrices } from "./model/index.js";
import {
  type Engine,
  type EngineDeps,
  type Log,
  type Stop,
  createEngine,
  createGitHubDoors,
  createMemoryDoor,
} from "./orchestrator/index.js";
import { type RepositoryRef, type System, createUlids } from "./shared/index.js";
import { loadSkills, readScaffold, readUserFolder } from "./skills/index.js";
import { builtinTools, createRegistry, createServers, mapTools } from "./tools/index.js";
import { createBaselines } from "./validator/index.js";
import { repositoryFolder, workspacesBySandbox } from "./workspace/index.js";

/** What an engine is put together from, besides the system. */
interface EngineParts {
  /** Data folder: mirrors, checkouts, transcripts. */
  data: string;
  /** Folder of what is known of a repository and can be made again from it. */
  cacheOf: (repository: RepositoryRef) => string;
  ledger: Ledger;
  log: Log;
  doors: EngineDeps["doors"];
  settings: EngineDeps["settings"];
  stop?: Stop;
  /** How Anthropic is asked, where the environment does not say it. */
  model?: ModelAccess;
  /** What repositories may make a host that serves many of them reach; null: it serves one, which may say so itself. */
  operator: OperatorFile | null;
  userFiles: EngineDeps["userFiles"];
}

const STATUS_INTERVAL_MS = 5_000;
const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const packaged = (path: string) => new URL(`../${path}`, import.meta.url);
const pathOf = (system: System) => system.env["PATH"] ?? SYSTEM_PATH;
const sandboxReport = (system: System, data: string) =>
  workspacesIn(system, data)(AgentConfig.parse({}).sandbox).sandbox();

function workspacesIn(system: System, data: string): ReturnType<typeof workspacesBySandbox> {
  return workspacesBySandbox(
    { clock: system.clock, git: createHostedGit },
    { data, path: pathOf(system), nodePath: system.nodePath, uid: system.uid },
  );
}

/** Puts the engine together: the same for App, Action and command line. */
function composeEngine(system: System, parts: EngineParts): Engine {
  const { clock, random, env } = system;
  const { data, ledger, operator, log } = parts;
  const isShared = operator !== null;
  const newId = createUlids(clock);
  const prices = loadPrices(packaged("data/prices.json"));
  const skills = loadSkills(packaged("rules/"));
  const modelDeps = { clock, newId, recorder: ledger, random, prompt: skills.prompt };
  const models = createModels(modelDeps, { prices, env, isShared, anthropic: parts.model ?? null });
  const codeDeps = { now: clock.now, warn: (message: string) => log.warn({}, message) };
  const deps: EngineDeps = {
    ...parts,
    clock,
    newId,
    skills,
    scaffold: readScaffold(packaged("rules/")),
    registry: createRegistry([...builtinTools(), ...mapTools()], { known: [...skills.agents.keys()] }),
    model: ({ model }) => models(model),
    servers: createServers({ env, folder: join(data, "mcp") }, { isShared, operator: operator?.mcp ?? {} }),
    workspaces: workspacesIn(system, data),
    openCode: ({ repository, ...checkout }) =>
      openCode(codeDeps, { ...checkout, database: join(parts.cacheOf(repository), "codemap.db") }),
    openMemory: createMemoryDoor({ env, now: clock.now, fetch }, { ...parts, servers: operator?.embedders }),
    baselines: createBaselines(join(data, "baselines")),
    watchesReactions: parts.stop !== undefined,
  };
  return createEngine(deps, parts.stop);
}

/** The engine on GitHub, and the reader of its events with each repository's own settings. */
function composeGitHub(
  system: System,
  parts: Pick<EngineParts, "data" | "ledger" | "log" | "stop" | "operator"> & {
    github: GitHub;
    isBoxRequired: boolean;
    statusIntervalMs: number;
  },
): { read: ReadDelivery; engine: Engine } {
  const { clock } = system;
  const { github, isBoxRequired, statusIntervalMs, ...rest } = parts;
  const settings = createRemoteConfig(
    { clock, read: (place, path, ref) => github.repository(place).readFile(path, ref) },
    { isBoxRequired },
  );
  const engine = composeEngine(system, {
    ...rest,
    cacheOf: (repository) => repositoryFolder(rest.data, repository),
    settings: ({ repository, installation, defaultBranch }) =>
      settings({ ...repository, installation, defaultBranch }),
    doors: createGitHubDoors({ github, clock, log: parts.log }, { statusIntervalMs }),
    userFiles: new Map(),
  });
  const defaults = AgentConfig.parse({});
  return { engine, read: createDeliveryReader({ settings, defaults, identity: github.identity }) };
}

/** The listener process, which starts the worker process beside it. */
export function startServer(
  system: System,
  workerStarted: (pid: number) => void = () => {},
): Promise<Running & { url: string }> {
  const { clock } = system;
  const env = readServerEnv(system.env);
  const log = pino({ level: env.LOG_LEVEL });
  const startWorker = () => fork(fileURLToPath(new URL("./server.js", import.meta.url)), ["worker"]);
  return runListener(
    { stores: openStores(clock, env.ACCRUE_DATA), clock, log, startWorker, workerStarted },
    listenerOptions(env),
  );
}

/** The worker process. */
export function startWorker(system: System): Running & { wake(): void } {
  const { clock } = system;
  const env = readServerEnv(system.env);
  const log = pino({ level: env.LOG_LEVEL });
  const stores = openStores(clock, env.ACCRUE_DATA);
  const access = appAccess(env);
  const github = createGitHub({ clock, log }, access);
  // Before anybody waits for it; and whoever runs the server learns at once that the app's key is wrong.
  github.identity().catch((error: unknown) => log.error({ err: error }, "GitHub does not say who we are"));
  const { engine, read } = composeGitHub(system, {
    data: env.ACCRUE_DATA,
    ledger: stores.ledger,
    log,
    stop: stores.queue.requestStop,
    github,
    operator: env.operator,
    isBoxRequired: env.ACCRUE_SANDBOX === "box",
    statusIntervalMs: access.writeSpacingMs === 0 ? 0 : STATUS_INTERVAL_MS,
  });
  return runWorker({ stores, clock, log, engine, read }, workerOptions(env));
}

/** The engine on a person's own repository: the same runs, ending in a branch, shown in the terminal. */
function composeLocal(
  system: CommandSystem,
  repository: LocalRepository,
  model: ModelAccess | null,
): { engine: Engine; ledger: Ledger } {
  const { output, env } = system;
  const ledger = createLedger(openDatabase(join(repository.data, "ledger.db")));
  const engine = composeEngine(system, {
    data: repository.data,
    cacheOf: () => repository.data,
    ledger,
    log: pino({ level: "silent" }),
    settings: () => loadLocalConfig(repository.read),
    doors: createLocalDoors({ repository, output, ledger, askPerson: system.askPerson }),
    ...(model && { model }),
    operator: null,
    userFiles: env["HOME"] ? readUserFolder(env["HOME"]) : new Map(),
  });
  return { engine, ledger };
}

/** The engine on GitHub for one process without a queue: the Action, and a replayed delivery. */
function composeAlone(system: System, data: string): { read: ReadDelivery; engine: Engine } {
  const { env, clock } = system;
  const log = pino({ level: env["LOG_LEVEL"] ?? "warn" }, pino.destination(2));
  return composeGitHub(system, {
    data,
    log,
    ledger: createLedger(openDatabase(join(data, "ledger.db"))),
    github: createGitHub({ clock, log }, requireGitHubAccess(env)),
    operator: null,
    isBoxRequired: false,
    statusIntervalMs: STATUS_INTERVAL_MS,
  });
}

/** One event of a GitHub Actions workflow run. Gives the exit status. */
export async function runActionStep(system: CommandSystem): Promise<number> {
  const { env, output, signal } = system;
  const { read, engine } = composeAlone(system, join(env["RUNNER_TEMP"] ?? tmpdir(), "accrue"));
  const { ok } = await runAction({ engine, read, log: (line) => output.out(`${line}\n`) }, env, signal);
  return ok ? 0 : 1;
}

/** The command line. Gives the exit status. */
export function runCli(system: CommandSystem): Promise<number> {
  const { output, clock, env } = system;
  const access = gitHubAccess(env);
  const replayData = join(tmpdir(), `accrue-replay-${system.uid}`);
  const git = createGit({ home: join(tmpdir(), `accrue-git-${system.uid}`), path: pathOf(system) });
  const github = access && createGitHub({ clock, log: pino({ level: "silent" }) }, access);
  const commands = createCommands({
    ...system,
    git,
    gitHubRemote: createGitHubRemote(github),
    home: env["HOME"] ?? null,
    local: (repository, model) => composeLocal(system, repository, model),
    model: async (url, { read }) => requireModelAccess(env, url, (await loadLocalConfig(read)).model),
    settings: loadLocalConfig,
    gitHub: () => composeAlone(system, replayData),
    reader: () =>
      access ? composeAlone(system, replayData).read : createDefaultReader(AgentConfig.parse({})),
    startServer: () => startServer(system),
    demo: (input) => runDemo(system, input, () => Promise.resolve()),
    machine: {
      env,
      uid: system.uid,
      nodeVersion: system.nodeVersion,
      sandbox: (data) => sandboxReport(system, data),
      gitHub: github && github.identity,
    },
    config: { path: CONFIG_PATH, schema: configSchema(), check: checkConfig },
    openLedger: (file) => createLedger(openDatabase(file)),
    scaffold: () => readScaffold(packaged("rules/")),
  });
  return runProgram(system.argv, commands, { output, version: versionIn(packaged("package.json")) });
}

/** The demo, with a door for tests to change what was learnt between its two requirements. */
export async function runDemo(
  system: CommandSystem,
  input: { keep: boolean },
  between: (forge: StageForge) => Promise<void>,
): Promise<CommandEnd> {
  const { clock, output, env, nodePath, signal } = system;
  const { mention, label } = AgentConfig.parse({});
  const { parseScenarios, startForge, startScriptedModel } = await import("./forge/index.js");
  return demoCommand(
    {
      clock,
      output,
      mention,
      label,
      between,
      nodePath,
      startForge: (start) => startForge({ ...start, clock, logFile: env["ACCRUE_FORGE_LOG"] ?? null }),
      startModel: (scenarios, modelClock) =>
        startScriptedModel({ scenarios: parseScenarios(scenarios), clock: modelClock }),
      sandbox: (data) => sandboxReport(system, data),
      server: new URL("./server.js", import.meta.url),
      data: packaged("data/"),
    },
    input,
    signal,
  );
}
