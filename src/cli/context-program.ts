import { type Command, InvalidArgumentError } from "commander";

/** What a context pack is asked for with. */
export interface ContextInput {
  text: string;
  tokens: number | null;
  file: string[];
  symbol: string[];
  /** A file of JSON lines that takes the place of the text. */
  batch: string | null;
}

/** What every command is asked with. */
interface Asked {
  json: boolean;
  repo: string;
}

/** Gives the command of context packs its arguments. A batch is JSON lines, whether JSON was asked for or not. */
export function addContext(
  command: Command,
  run: (options: Asked, input: ContextInput) => Promise<void>,
): void {
  command
    .argument("[task...]", "the task")
    .option("--tokens <n>", "most tokens of the pack; default 8000", wholeNumber)
    .option("--file <path...>", "files that come first", [])
    .option("--symbol <key...>", "definitions that come first, as path#name", [])
    .option("--batch <file>", "JSON lines of {id, text, tokens, files, symbols}; prints one line each")
    .action((words: string[], options: Asked & Partial<ContextInput>) => {
      const { tokens = null, file = [], symbol = [], batch = null } = options;
      const input = { text: words.join(" "), tokens, file, symbol, batch };
      return run({ ...options, json: options.json && batch === null }, input);
    });
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Write a whole number such as 8000.");
}
