import { type Command, InvalidArgumentError, Option } from "commander";
import { MEMORY_TYPES, type MemoryState, type MemoryType } from "../memory/index.js";
import type { AddQuestion, MemoryQuestion, RecallQuestion } from "./memory-question.js";

/** Takes what was typed to the command that answers it. */
type Ask = (self: Command, question: MemoryQuestion) => Promise<void>;

const STATES: readonly MemoryState[] = ["active", "cold", "superseded", "retired"];

/** Adds what can be done with memories to the command `memory`. */
export function addMemory(memory: Command, ask: Ask): void {
  const command = (name: string, description: string) =>
    memory.command(name).description(description).exitOverride();
  addAdd(command("add", "keep a memory as a file in context/experience/; nothing is committed"), ask);
  addRecall(command("recall", "find the memories that fit"), ask);
  command("list", "all memories, or those of a type or state")
    .addOption(new Option("--type <type>", "this type only").choices(MEMORY_TYPES))
    .addOption(new Option("--state <state>", "this state only").choices(STATES))
    .option("--limit <count>", "how many to show", count)
    .action((given: { type?: MemoryType; state?: MemoryState; limit?: number }, self: Command) => {
      const { type = null, state = null, limit = null } = given;
      return ask(self, { about: "list", type, state, limit });
    });
  command("show", "one memory, whole")
    .argument("<id>", "its id; case does not matter")
    .action((id: string, _: object, self: Command) => ask(self, { about: "show", id }));
  command("forget", "retire a memory: it stays in its file, and is not recalled again")
    .argument("<id>", "its id; case does not matter")
    .action((id: string, _: object, self: Command) => ask(self, { about: "forget", id }));
  command("rebuild", "delete the cache and make it again from the files").action((_: object, self: Command) =>
    ask(self, { about: "rebuild" }),
  );
  command("stats", "how many there are, of which kind, and what is wrong in their files").action(
    (_: object, self: Command) => ask(self, { about: "stats" }),
  );
}

function addAdd(command: Command, ask: Ask): void {
  command
    .argument("[text...]", "what is to be remembered; put -- before it")
    .option("--title <title>", "default: its first sentence")
    .addOption(new Option("--type <type>", "what kind it is").choices(MEMORY_TYPES).default("fact"))
    .option("--file <path...>", "files that it is about", [])
    .option("--symbol <key...>", "definitions that it is about, as path#name or a name", [])
    .option("--tag <word...>", "words that it is found by", [])
    .option("--pin", "never let it go cold", false)
    .option("--supersedes <id...>", "memories in whose place it stands", [])
    .option(
      "--batch <file>",
      "JSON lines of {id, type, title, content, tags, files, symbols}; prints one line each",
    )
    .option("--as-is", "keep every line of the batch under its own id, without comparing", false)
    .option("--dry-run", "say what would become of it, and write nothing", false)
    .action((words: string[], given: Omit<AddQuestion, "about" | "text">, self: Command) =>
      ask(self, {
        ...given,
        about: "add",
        text: words.join(" "),
        title: given.title ?? null,
        batch: given.batch ?? null,
      }),
    );
}

function addRecall(command: Command, ask: Ask): void {
  command
    .argument("[question...]", "what is asked")
    .option("--limit <count>", "how many to show; default 5", count)
    .addOption(new Option("--type <type...>", "a wish, not a filter").choices(MEMORY_TYPES).default([]))
    .option("--file <path...>", "files at hand", [])
    .option("--symbol <key...>", "definitions at hand", [])
    .option("--under <path>", "only of files under this path, or of no file")
    .option("--cold", "also those that nobody has used for long", false)
    .option("--batch <file>", "JSON lines of {id, text, limit, types, files, symbols}; prints one line each")
    .action((words: string[], given: Omit<RecallQuestion, "about" | "text">, self: Command) =>
      ask(self, {
        ...given,
        about: "recall",
        text: words.join(" "),
        limit: given.limit ?? null,
        under: given.under ?? null,
        batch: given.batch ?? null,
      }),
    );
}

function count(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Write a whole number above 0.");
}
