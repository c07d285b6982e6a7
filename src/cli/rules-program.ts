import { type Command, Option } from "commander";
import { PHASES } from "../knowledge/index.js";

/** What matching is asked with. */
export interface RulesMatchInput {
  text: string;
  path: string[];
  label: string[];
  symbol: string[];
  phase: string | null;
  /** A file of JSON lines that takes the place of the text. */
  batch: string | null;
}

/** What every command is asked with. */
interface Asked {
  json: boolean;
  repo: string;
}

/** Gives the command of rules what can be asked of it. A batch is JSON lines, whether JSON was asked for or not. */
export function addRules(
  rules: Command,
  run: {
    match(options: Asked, input: RulesMatchInput): Promise<void>;
    check(options: Asked, isFixing: boolean): Promise<void>;
  },
): void {
  rules
    .command("match")
    .description("which rules and notes fit a task")
    .exitOverride()
    .argument("[task...]", "the task; the same as --text")
    .option("--text <text>", "the task")
    .option("--path <path...>", "files that will change", [])
    .option("--label <label...>", "labels of the issue", [])
    .option("--symbol <name...>", "definitions at hand", [])
    .addOption(new Option("--phase <phase>", "holds rules of other phases back").choices([...PHASES]))
    .option("--batch <file>", "JSON lines of {id, text, paths, labels, symbols, phase}; prints one line each")
    .action((words: string[], given: Partial<RulesMatchInput>, self: Command) => {
      const { path = [], label = [], symbol = [], phase = null, batch = null } = given;
      const text = [given.text ?? "", ...words].filter(Boolean).join(" ");
      const options = self.optsWithGlobals<Asked>();
      const input = { text, path, label, symbol, phase, batch };
      return run.match({ ...options, json: options.json && batch === null }, input);
    });
  rules
    .command("check")
    .description("what is wrong in rules, notes and glossary, at its line")
    .exitOverride()
    .option("--fix", "put right what has only one meaning", false)
    .action(({ fix }: { fix: boolean }, self: Command) => run.check(self.optsWithGlobals<Asked>(), fix));
}
