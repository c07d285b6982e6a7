import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { z } from "zod";
import { AccrueError, type ErrorCode, isAccrueError } from "../shared/index.js";
import type { InitWish } from "./init.js";
import type { MapQuestion } from "./map-question.js";
import { type AskInput, addAsk } from "./ask-program.js";
import { type ContextInput, addContext } from "./context-program.js";
import { type ReportInput, addLedger, addTrace } from "./ledger-program.js";
import { addMap } from "./map-program.js";
import { addMemory } from "./memory-program.js";
import type { MemoryQuestion } from "./memory-question.js";
import { EXIT, type Output, printJson } from "./output.js";
import { type ReqQuestion, addReq } from "./req-program.js";
import { type LoadServiceInput, addLoadService } from "./service-program.js";
import { type RulesMatchInput, addRules } from "./rules-program.js";

/** What every command gets: whether JSON was asked for, and the repository's folder. */
export interface Common {
  json: boolean;
  repo: string;
}

/** A command's result: the JSON document, the text for people, and the exit status. */
export interface CommandEnd {
  json: unknown;
  text: string;
  status: number;
}

/** The commands, each a function that `compose.ts` passes in. */
export interface Commands {
  run(input: Common & RunInput): Promise<CommandEnd>;
  ask(input: Common & AskInput): Promise<CommandEnd>;
  remember(input: Common & { text: string; batch: string | null }): Promise<CommandEnd>;
  init(input: Common & InitWish): Promise<CommandEnd>;
  loadService(input: Common & LoadServiceInput): Promise<CommandEnd>;
  demo(input: Common & { keep: boolean }): Promise<CommandEnd>;
  serve(input: Common): Promise<CommandEnd>;
  replay(input: Common & { file: string; dryRun: boolean }): Promise<CommandEnd>;
  doctor(input: Common): Promise<CommandEnd>;
  configCheck(input: Common): Promise<CommandEnd>;
  configSchema(input: Common): Promise<CommandEnd>;
  ledgerReport(input: Common & ReportInput): Promise<CommandEnd>;
  ledgerRebuild(input: Common): Promise<CommandEnd>;
  trace(input: Common & { run: string; db: string | null }): Promise<CommandEnd>;
  map(input: Common & { question: MapQuestion }): Promise<CommandEnd>;
  context(input: Common & ContextInput): Promise<CommandEnd>;
  rulesMatch(input: Common & RulesMatchInput): Promise<CommandEnd>;
  rulesCheck(input: Common & { fix: boolean }): Promise<CommandEnd>;
  memory(input: Common & { question: MemoryQuestion }): Promise<CommandEnd>;
  req(input: Common & { question: ReqQuestion }): Promise<CommandEnd>;
}

/** What is to be done, and how. */
export interface RunInput {
  text: string;
  modelUrl: string | null;
  /** What it may cost, in a person's words. */
  budget: string | null;
}

/** What the program prints with, and what `--version` says. */
export interface ProgramOptions {
  output: Output;
  version: string;
}

/** Errors of whoever typed: exit status 2 instead of 1. */
const USAGE_ERRORS: readonly ErrorCode[] = [
  "CONFIG_INVALID",
  "CONFIG_MISSING",
  "INPUT_INVALID",
  "MODEL_KEY_MISSING",
];

/** Builds the command line and runs what was typed. Errors go to stderr; the exit status is one of {@link EXIT}. */
export async function runProgram(
  argv: readonly string[],
  commands: Commands,
  options: ProgramOptions,
): Promise<number> {
  const { output } = options;
  let status: number = EXIT.done;
  const isJson = argv.slice(0, argv.includes("--") ? argv.indexOf("--") : argv.length).includes("--json");
  const fail = (code: ErrorCode, message: string) => {
    if (isJson) printJson(output, { error: { code, message } });
    return USAGE_ERRORS.includes(code) ? EXIT.usage : EXIT.failed;
  };
  const finish = async (common: Common, work: Promise<CommandEnd>) => {
    const end = await work;
    status = end.status;
    if (common.json) printJson(output, end.json);
    else if (end.text) output.out(end.text.endsWith("\n") ? end.text : `${end.text}\n`);
  };
  try {
    await build(commands, finish, options).parseAsync([...argv], { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.done;
      return fail("INPUT_INVALID", error.message.replace(/^error: /, ""));
    }
    const known = isAccrueError(error) ? error : machineTrouble(error);
    if (known === null) throw error;
    output.err(`accrue: ${known.message}\n`);
    return fail(known.code, known.message);
  }
}

/** What the operating system refused is a person's to put right, and no mistake of the program's; null for anything else. */
function machineTrouble(error: unknown): AccrueError | null {
  if (!(error instanceof Error) || !("syscall" in error)) return null;
  const cure = "check that it is there, and that you may read and write it";
  return new AccrueError("WORKSPACE_FAILED", `${error.message}: ${cure}.`, { cause: error });
}

/** The version in a package's description. */
export function versionIn(packageFile: URL): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageFile, "utf8"))).version;
}

type Finish = (common: Common, work: Promise<CommandEnd>) => Promise<void>;

function build(commands: Commands, finish: Finish, { output, version }: ProgramOptions): Command {
  const writers = {
    writeOut: (text: string) => output.out(text),
    writeErr: (text: string) => output.err(text),
  };
  const program = new Command("accrue")
    .description("Does development work from issues and pull requests, and gets cheaper at it every time.")
    .version(version)
    .exitOverride()
    .configureOutput(writers)
    .showHelpAfterError("Run `accrue --help` for the commands.");
  const command = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .exitOverride()
      .configureOutput(writers)
      .option("--json", "one JSON document on stdout and nothing else", false)
      .option("--repo <dir>", "the repository's folder", ".");

  addRun(command, commands, finish);
  addTeaching(command, commands, finish);
  command("init", "write the files that Accrue works with, never over a file of yours")
    .option("--name <name>", "what the project is called; default: the folder")
    .option("--position <sentence>", "what it is for")
    .option("--services <names>", "its services, separated by commas", names, [])
    .action((options: Common & { name?: string; position?: string; services: string[] }) => {
      const { name = null, position = null } = options;
      return finish(options, commands.init({ ...options, name, position }));
    });
  command("doctor", "check this machine: git, sandbox, model, GitHub").action((options: Common) =>
    finish(options, commands.doctor(options)),
  );
  addAsk(command("ask", "answer a question about this repository, with what it rests on"), (options, input) =>
    finish(options, commands.ask({ ...options, ...input })),
  );
  command("demo", "the whole job on an embedded GitHub with a scripted model; needs no key and no network")
    .option("--keep", "stay up at the end, so that the pages can be looked at", false)
    .action((options: Common & { keep: boolean }) => finish(options, commands.demo(options)));
  addServer(command, commands, finish);
  addReports(command, commands, finish);
  addSpending(command, commands, finish);
  addMap(command("map", "where code is, who uses it, and what a change can break"), (self, question) => {
    const options = self.optsWithGlobals<Common>();
    return finish(options, commands.map({ ...options, question }));
  });
  addContext(command("context", "what a model would read for a task, and why"), (options, input) =>
    finish(options, commands.context({ ...options, ...input })),
  );
  addRules(command("rules", "which rules and notes fit, and what is wrong in them"), {
    match: (options, input) => finish(options, commands.rulesMatch({ ...options, ...input })),
    check: (options, fix) => finish(options, commands.rulesCheck({ ...options, fix })),
  });
  addMemory(command("memory", "what was learnt: keep it, find it, put it aside"), (self, question) => {
    const options = self.optsWithGlobals<Common>();
    // A batch is JSON lines, whether JSON was asked for or not.
    const json = options.json && !("batch" in question && question.batch !== null);
    return finish({ ...options, json }, commands.memory({ ...options, question }));
  });
  addReq(command("req", "requirements: where they stand, and what is wanted of them"), (self, question) => {
    const options = self.optsWithGlobals<Common>();
    return finish(options, commands.req({ ...options, question }));
  });
  program.helpCommand(true);
  return program;
}

function names(text: string): string[] {
  return text
    .split(/[,，、]/)
    .map((name) => name.trim())
    .filter(Boolean);
}

type Make = (name: string, description: string) => Command;

function addRun(command: Make, commands: Commands, finish: Finish): void {
  command("run", "do a requirement in this repository: a text, or a REQ id to go on with")
    .argument("<text...>", "what is wanted, or REQ-…; put -- before a text that begins with a dash")
    .option("--model-url <url>", "address of the model's API")
    .option("--budget <amount>", "what it may cost: $5, 50k weighted tokens, or +$5 for more")
    .action((words: string[], options: Common & { modelUrl?: string; budget?: string }) => {
      const { modelUrl = null, budget = null } = options;
      return finish(options, commands.run({ ...options, text: words.join(" "), modelUrl, budget }));
    });
}

function addTeaching(command: Make, commands: Commands, finish: Finish): void {
  command("remember", "keep a lesson for later work, as a file in context/deposits/")
    .argument("[text...]", "what is to be remembered; put -- before it")
    .option("--batch <file>", "JSON lines of {id, text}; prints one line each")
    .action((words: string[], options: Common & { batch?: string }) => {
      const { batch = null } = options;
      // A batch is JSON lines, whether JSON was asked for or not.
      const asked = { ...options, json: options.json && batch === null };
      return finish(asked, commands.remember({ ...asked, text: words.join(" "), batch }));
    });
  const about = "read what services are, and write a document and rules for each";
  addLoadService(command("load-service", about), (self, input) => {
    const options = self.opts<Common>();
    return finish(options, commands.loadService({ ...options, ...input }));
  });
}

function addServer(command: Make, commands: Commands, finish: Finish): void {
  command("serve", "the GitHub App's server; settings come from the environment").action((options: Common) =>
    finish(options, commands.serve(options)),
  );
  command("replay", "one recorded webhook delivery through the whole path")
    .argument("<file>", "JSON with event, delivery and payload")
    .option("--dry-run", "say what would be done, and do nothing", false)
    .action((file: string, options: Common & { dryRun: boolean }) =>
      finish(options, commands.replay({ ...options, file })),
    );
}

function addReports(command: Make, commands: Commands, finish: Finish): void {
  const config = command("config", "check .github/agent.yml, or print its schema");
  config
    .command("check")
    .description("check .github/agent.yml of this repository")
    .exitOverride()
    .action((_: object, self: Command) =>
      finish(self.optsWithGlobals<Common>(), commands.configCheck(self.optsWithGlobals<Common>())),
    );
  config
    .command("schema")
    .description("the JSON Schema of .github/agent.yml")
    .exitOverride()
    .action((_: object, self: Command) =>
      finish(self.optsWithGlobals<Common>(), commands.configSchema(self.optsWithGlobals<Common>())),
    );
}

function addSpending(command: Make, commands: Commands, finish: Finish): void {
  addLedger(command("ledger", "where the tokens went"), {
    report: (options, input) => finish(options, commands.ledgerReport({ ...options, ...input })),
    rebuild: (options) => finish(options, commands.ledgerRebuild(options)),
  });
  addTrace(command("trace", "a run's turns, tool calls and decisions in order"), (options, input) =>
    finish(options, commands.trace({ ...options, ...input })),
  );
}
