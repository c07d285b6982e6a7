import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Git } from "../git/index.js";
import type { Ledger } from "../ledger/index.js";
import type { Ask, Engine } from "../orchestrator/index.js";
import type { Clock } from "../shared/index.js";
import { doctorCommand } from "./commands/doctor.js";
import { ledgerCommand } from "./commands/ledger.js";
import { configCommand, initCommand, rememberCommand, serveCommand } from "./commands/local-commands.js";
import { type MachineDeps, machineChecks } from "./commands/machine-checks.js";
import { replayCommand } from "./commands/replay.js";
import { runCommand } from "./commands/run.js";
import { type LocalRepository, findRepository, localAsk } from "./local.js";
import { EXIT, type Output } from "./output.js";
import type { CommandEnd, Commands } from "./program.js";

/** What the commands are made of; `compose.ts` passes it in. */
export interface CommandDeps {
  git: Git;
  clock: Clock;
  output: Output;
  signal: AbortSignal;
  /** The engine on a person's own repository. */
  local(repository: LocalRepository, modelUrl: string | null): { engine: Engine; ledger: Ledger };
  /** The engine on GitHub, with the credentials of the environment. */
  gitHub(): {
    engine: Engine;
    read(event: { name: string; id: string; payload: unknown }): Promise<Ask | { ignored: string }>;
  };
  startServer(): Promise<{ url: string; close(): Promise<void> }>;
  demo(input: { keep: boolean }): Promise<CommandEnd>;
  machine: Pick<MachineDeps, "env" | "nodeVersion" | "sandbox" | "gitHub">;
  config: {
    path: string;
    schema: unknown;
    check(text: string, file: string): { file: string; line: number; code: string; message: string }[];
  };
  openLedger(file: string): Ledger;
  /** Path of a folder of the package's `rules/`. */
  rules(folder: string): string;
}

/** Makes every command of the command line. */
export function createCommands(deps: CommandDeps): Commands {
  const { git, clock, output, signal } = deps;
  const find = (folder: string) => findRepository(git, resolve(folder), signal);
  return {
    run: async ({ repo, text, modelUrl }) => {
      const repository = await find(repo);
      const { engine, ledger } = deps.local(repository, modelUrl);
      const ask = localAsk(repository, text, clock);
      return runCommand(
        {
          engine,
          ask,
          clock,
          bill: (requirement) => ledger.bill({ repository: ask.repository, requirement }),
        },
        signal,
      );
    },
    remember: async ({ repo, text }) => {
      const repository = await find(repo);
      return rememberCommand(
        deps.local(repository, null).engine,
        localAsk(repository, text, clock),
        text,
        signal,
      );
    },
    init: async ({ repo }) => {
      const { root } = await find(repo);
      return initCommand(root, [
        { from: deps.rules("scaffold"), to: "" },
        { from: deps.rules("experience"), to: "context/rules" },
      ]);
    },
    demo: (input) => deps.demo(input),
    serve: () => serveCommand(deps.startServer, signal),
    replay: async ({ file, dryRun }) => {
      const { read, engine } = deps.gitHub();
      return replayCommand(
        { text: await readFile(file, "utf8"), file, read, engine: dryRun ? null : engine },
        signal,
      );
    },
    doctor: ({ repo }) =>
      doctorCommand(output, machineChecks({ ...deps.machine, git, signal, folder: resolve(repo) })),
    configCheck: async ({ repo }) => {
      const text = await readOptional(join(resolve(repo), deps.config.path));
      return configCommand(deps.config.check(text, deps.config.path), deps.config.path);
    },
    configSchema: () =>
      Promise.resolve({
        json: deps.config.schema,
        text: JSON.stringify(deps.config.schema, null, 2),
        status: EXIT.done,
      }),
    ledgerReport: async ({ repo, db, ...input }) =>
      ledgerCommand(deps.openLedger(db ?? join((await find(repo)).data, "ledger.db")), input),
  };
}

/** An absent file counts as an empty one: every key has a default. */
async function readOptional(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
