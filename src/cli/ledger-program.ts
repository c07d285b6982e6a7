import { type Command, InvalidArgumentError, Option } from "commander";
import { z } from "zod";

/** What a ledger report is about. */
export interface ReportInput {
  by: string;
  requirement: string | null;
  task: string | null;
  /** First and last day, `yyyy-mm-dd`. */
  since: string | null;
  until: string | null;
  db: string | null;
}

/** Groupings of the ledger report. */
export const GROUPINGS = ["phase", "task", "type", "model", "day", "requirement", "agent"];

/** What every command is asked with. */
interface Asked {
  json: boolean;
  repo: string;
}

const DATABASE = "the ledger's database; default .agent/ledger.db of the repository";

/** Gives the command of the ledger what can be asked of it. */
export function addLedger(
  ledger: Command,
  run: {
    report(options: Asked, input: ReportInput): Promise<void>;
    rebuild(options: Asked): Promise<void>;
  },
): void {
  ledger
    .command("report")
    .description("sums of the ledger, what was for nothing, and what stands out")
    .exitOverride()
    .addOption(new Option("--by <group>", "how to group").choices(GROUPINGS).default("phase"))
    .option("--requirement <id>", "one requirement only")
    .option("--task <id>", "one task only")
    .option("--since <day>", "from this day on, in UTC", day)
    .option("--until <day>", "up to this day, in UTC", day)
    .option("--db <file>", DATABASE)
    .action((given: Pick<ReportInput, "by"> & Partial<ReportInput>, self: Command) => {
      const { by, requirement = null, task = null, since = null, until = null, db = null } = given;
      return run.report(self.optsWithGlobals<Asked>(), { by, requirement, task, since, until, db });
    });
  ledger
    .command("rebuild")
    .description("take over what git says that runs cost, for runs that the ledger does not know")
    .exitOverride()
    .action((_: object, self: Command) => run.rebuild(self.optsWithGlobals<Asked>()));
}

/** Adds the arguments of `trace`. */
export function addTrace(
  trace: Command,
  run: (options: Asked, input: { run: string; db: string | null }) => Promise<void>,
): void {
  trace
    .argument("<run>", "the run's id")
    .option("--db <file>", `${DATABASE}; transcripts lie beside it`)
    .action((id: string, options: Asked & { db?: string }) =>
      run(options, { run: id, db: options.db ?? null }),
    );
}

function day(text: string): string {
  if (z.iso.date().safeParse(text).success) return text;
  throw new InvalidArgumentError("Write a day as 2026-11-29.");
}
