import { type Command, InvalidArgumentError, Option } from "commander";
import { SYMBOL_KINDS, type SymbolKind } from "../codemap/index.js";
import { AccrueError } from "../shared/index.js";
import type { MapQuestion } from "./map-question.js";

/** Takes what was typed to the command that answers it. */
type Ask = (self: Command, question: MapQuestion) => Promise<void>;

const KEY = "PATH#NAME, PATH#Outer.name, or a name that is defined once";
const DEFAULT_TOKENS = 2_000;

/** What the commands of the map take, as commander gives it. */
interface Given {
  limit?: number;
  depth?: number;
}

/** Adds what can be asked of the code map to the command `map`. */
export function addMap(map: Command, ask: Ask): void {
  const command = (name: string, description: string) =>
    map.command(name).description(description).exitOverride();
  command("build", "read what has changed since the last time").action((_: object, self: Command) =>
    ask(self, { about: "build" }),
  );
  limited(command("find", "where something is defined, by its name or a part of it"))
    .argument("<name>", "a name; Outer.name for one within another")
    .addOption(new Option("--kind <kind>", "this kind only").choices(SYMBOL_KINDS))
    .action((name: string, { kind = null, ...given }: Given & { kind?: SymbolKind | null }, self: Command) =>
      ask(self, { about: "find", name, kind, ...given }),
    );
  limited(command("refs", "who uses a definition"))
    .argument("<symbol>", KEY)
    .option("--all", "also what only shares its name, and no limit", false)
    .action((key: string, { all, ...given }: Given & { all: boolean }, self: Command) =>
      ask(self, { about: "refs", key, isAll: all, ...given }),
    );
  limited(command("lookup", "a definition, who uses it, and what is known about it"))
    .argument("<symbol>", KEY)
    .action((key: string, given: Given, self: Command) => ask(self, { about: "lookup", key, ...given }));
  deep(limited(command("callers", "what uses a definition, also over several steps")))
    .argument("<symbol>", KEY)
    .action((key: string, given: Given, self: Command) => ask(self, { about: "callers", key, ...given }));
  deep(limited(command("impact", "what a change can break: files, definitions, tests, entry points")))
    .argument("[target]", `a path, or ${KEY}`)
    .option("--diff <rev>", "of all that differs from this revision")
    .action((target: string | undefined, { diff, ...given }: Given & { diff?: string }, self: Command) =>
      ask(self, { ...impactQuestion(target, diff), ...given }),
    );
  addStructure(command, ask);
}

function addStructure(command: (name: string, description: string) => Command, ask: Ask): void {
  limited(command("outline", "what a file defines, or what a folder gives out"))
    .argument("[path]", "a file or folder", ".")
    .action((path: string, given: Given, self: Command) => ask(self, { about: "outline", path, ...given }));
  limited(command("importers", "which files import a file"))
    .argument("<path>", "a file")
    .action((path: string, given: Given, self: Command) => ask(self, { about: "importers", path, ...given }));
  limited(command("unused", "what files give out and no other file uses")).action(
    (given: Given, self: Command) => ask(self, { about: "unused", ...given }),
  );
  deep(command("graph", "a drawing of what is around a file or definition: Mermaid, or SVG"))
    .argument("<target>", `a path, or ${KEY}`)
    .option("--svg <file>", "write an SVG drawing")
    .action((target: string, { svg = null, ...given }: Given & { svg?: string | null }, self: Command) =>
      ask(self, { about: "graph", target, svg, ...given }),
    );
  command("overview", "the repository for whoever sees it first")
    .option("--tokens <count>", "how long it may be", count, DEFAULT_TOKENS)
    .action(({ tokens }: { tokens: number }, self: Command) => ask(self, { about: "overview", tokens }));
}

function limited(command: Command): Command {
  return command.option("--limit <count>", "how many to show", count);
}

function deep(command: Command): Command {
  return command.option("--depth <count>", "how many steps to follow", count);
}

function impactQuestion(
  target: string | undefined,
  revision: string | undefined,
): { about: "impact"; target: string } | { about: "diff"; revision: string } {
  if (target !== undefined && revision === undefined) return { about: "impact", target };
  if (revision !== undefined && target === undefined) return { about: "diff", revision };
  throw new AccrueError("INPUT_INVALID", "Name either a path or symbol, or a revision with --diff.");
}

function count(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Write a whole number above 0.");
}
