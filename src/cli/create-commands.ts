import { access, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Tree } from "../knowledge/index.js";
import type { Ledger } from "../ledger/index.js";
import type { Ask, Engine } from "../orchestrator/index.js";
import { AccrueError, isAccrueError, requirementId } from "../shared/index.js";
import { askCommand } from "./commands/ask.js";
import { doctorCommand } from "./commands/doctor.js";
import { ledgerCommand, ledgerRebuildCommand } from "./commands/ledger.js";
import { configCommand, initCommand, serveCommand } from "./commands/local-commands.js";
import { type MachineDeps, machineChecks } from "./commands/machine-checks.js";
import { replayCommand } from "./commands/replay.js";
import { runCommand } from "./commands/run.js";
import { traceCommand } from "./commands/trace.js";
import { readCostEvents } from "./cost-events.js";
import { findPlaces, findRepository, localAsk, localReference, makeData, requirePlaces } from "./local.js";
import { type CodeCommandDeps, codeCommands } from "./code-commands.js";
import { knowledgeCommands } from "./knowledge-commands.js";
import { memoryCommands } from "./memory-commands.js";
import type { MemoryCommandDeps } from "./open-memories.js";
import { findRequirement, namedIn } from "./named-requirement.js";
import { type CommandSystem, EXIT } from "./output.js";
import { readNamed, worded } from "./typed.js";
import type { CommandEnd, Commands } from "./program.js";
import { reqCommands } from "./req-commands.js";
import { type ServiceCommandDeps, serviceCommands } from "./service-commands.js";

/** Reads a webhook event with its repository's settings. */
type Read = (event: { name: string; id: string; payload: unknown }) => Promise<Ask | { ignored: string }>;

/** What the commands are made of; `compose.ts` passes it in. */
export interface CommandDeps extends CodeCommandDeps, MemoryCommandDeps, ServiceCommandDeps {
  /** The engine on GitHub; throws without credentials. */
  gitHub(): { engine: Engine; read: Read };
  /** Reads events, with the shipped settings where there are no credentials. */
  reader(): Read;
  startServer(): Promise<{ url: string; close(): Promise<void> }>;
  demo(input: { keep: boolean }): Promise<CommandEnd>;
  machine: Pick<MachineDeps, "env" | "nodeVersion" | "sandbox" | "gitHub"> & { uid: number };
  config: {
    path: string;
    schema: unknown;
    check(text: string, file: string): { file: string; line: number; code: string; message: string }[];
  };
  openLedger(file: string): Ledger;
  /** What a repository begins with, as it ships. */
  scaffold(): Tree;
  interview: CommandSystem["interview"];
}

/** Makes every command of the command line. */
export function createCommands(deps: CommandDeps): Commands {
  return {
    ...workCommands(deps),
    ...serverCommands(deps),
    ...reportCommands(deps),
    ...ledgerCommands(deps),
    ...codeCommands(deps),
    ...knowledgeCommands(deps),
    ...memoryCommands(deps),
    ...reqCommands(deps),
    ...serviceCommands(deps),
  };
}

/** What works in a person's repository: a branch, an answer, the scaffold. */
function workCommands(deps: CommandDeps): Pick<Commands, "run" | "ask" | "init"> {
  const { clock, signal } = deps;
  const find = (folder: string) => findRepository(deps, resolve(folder));
  return {
    run: async ({ repo, text, modelUrl, budget }) => {
      const wish = worded(text);
      const repository = await find(repo);
      const model = await deps.model(modelUrl, repository);
      const id = namedIn(wish);
      const named = id === null ? null : await findRequirement(repository, id);
      // Whoever goes on with a requirement has seen where it stopped: that approves the design it waits with.
      const intent = named
        ? { kind: "approve" as const, text: named.text }
        : { kind: "start" as const, text: wish };
      const ask = localAsk(repository, intent, clock);
      const { engine, ledger } = deps.local(repository, model);
      const bill = (requirement: string) => ledger.bill({ repository: ask.repository, requirement });
      const requirement = named?.id ?? requirementId(null, clock);
      return runCommand({ engine, ask, requirement, budget, clock, bill }, signal);
    },
    ask: async ({ repo, text, modelUrl }) => {
      const question = worded(text);
      const repository = await find(repo);
      const { engine } = deps.local(repository, await deps.model(modelUrl, repository));
      deps.output.err(`  reading ${repository.branch}\n`);
      return askCommand(engine, localAsk(repository, { kind: "ask", text: question }, clock), signal);
    },
    init: async ({ repo, json, name, position, services }) => {
      const { root } = await requirePlaces(deps, resolve(repo));
      const interview = json ? null : deps.interview;
      return initCommand(root, deps.scaffold(), { wish: { name, position, services }, interview, signal });
    },
  };
}

function serverCommands(deps: CommandDeps): Pick<Commands, "demo" | "serve" | "replay"> {
  const { signal } = deps;
  return {
    demo: (input) => deps.demo(input),
    serve: () => serveCommand(deps.startServer, signal),
    replay: async ({ file, dryRun }) => {
      const text = await readNamed(file);
      const { read, engine } = dryRun ? { read: deps.reader(), engine: null } : deps.gitHub();
      return replayCommand({ text, file, read, engine }, signal);
    },
  };
}

/** What only looks. */
function reportCommands(deps: CommandDeps): Pick<Commands, "doctor" | "configCheck" | "configSchema"> {
  const { git, output, signal, machine } = deps;
  return {
    doctor: async ({ repo }) => {
      const folder = resolve(repo);
      // Without a git that works, the doctor has to say so.
      const places = await findPlaces(deps, folder).catch((error: unknown) => {
        if (isAccrueError(error, "GIT_FAILED")) return null;
        throw error;
      });
      const given = machine.env["ACCRUE_DATA"];
      const dataFolder = given || (places?.data ?? join(tmpdir(), `accrue-doctor-${machine.uid}`));
      const make = async () => (given || !places ? null : makeData(places));
      const checks = machineChecks({ ...machine, git, signal, folder, dataFolder, makeData: make });
      return doctorCommand(output, checks);
    },
    configCheck: async ({ repo }) => {
      const folder = resolve(repo);
      const root = (await findPlaces(deps, folder))?.root ?? folder;
      const text = await readOptional(join(root, deps.config.path));
      return configCommand(
        text === null ? null : deps.config.check(text, deps.config.path),
        deps.config.path,
      );
    },
    configSchema: () =>
      Promise.resolve({
        json: deps.config.schema,
        text: JSON.stringify(deps.config.schema, null, 2),
        status: EXIT.done,
      }),
  };
}

/** What runs cost and did. */
function ledgerCommands(deps: CommandDeps): Pick<Commands, "ledgerReport" | "ledgerRebuild" | "trace"> {
  const { git, signal, openLedger } = deps;
  const fileOf = async (repo: string, db: string | null) =>
    db ?? join((await requirePlaces(deps, resolve(repo))).data, "ledger.db");
  // Looking makes no file: where nothing was spent yet, an empty ledger is read.
  const open = async (file: string, isNamed: boolean) => {
    const isThere = await exists(file);
    if (isNamed && !isThere) {
      throw new AccrueError("INPUT_INVALID", `There is no ledger ${file}: correct --db.`);
    }
    return openLedger(isThere ? file : ":memory:");
  };
  return {
    ledgerReport: async ({ repo, db, ...input }) =>
      ledgerCommand(await open(await fileOf(repo, db), db !== null), input),
    ledgerRebuild: async ({ repo }) => {
      const places = await requirePlaces(deps, resolve(repo));
      const costs = await readCostEvents(git, places.root, signal);
      const ledger = openLedger(join(await makeData(places), "ledger.db"));
      return ledgerRebuildCommand(ledger, localReference(places.root), costs);
    },
    trace: async ({ repo, db, run }) => {
      const file = await fileOf(repo, db);
      const ledger = await open(file, db !== null);
      return traceCommand({ ledger, transcripts: join(dirname(file), "transcripts") }, run);
    },
  };
}

/** An absent file is no mistake: every key has a default. */
async function readOptional(file: string): Promise<string | null> {
  return (await exists(file)) ? readFile(file, "utf8") : null;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
}
