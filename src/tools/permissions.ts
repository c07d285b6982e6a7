import { AccrueError } from "../shared/index.js";
import { commandWords } from "./command-words.js";
import type { Tool } from "./types.js";

const PREFIXED = /^(?<name>[\w-]+)\((?<prefix>.+)\)$/su;

interface Patterns {
  /** Whole tools, or `*`. */
  names: Set<string>;
  /** Tool → command prefixes, as words. */
  prefixes: Map<string, string[][]>;
}

function readPatterns(patterns: readonly string[]): Patterns {
  const read: Patterns = { names: new Set(), prefixes: new Map() };
  for (const pattern of patterns) {
    const groups = PREFIXED.exec(pattern)?.groups;
    const { name = "", prefix = "" } = groups ?? {};
    if (groups === undefined) {
      read.names.add(pattern.trim());
      continue;
    }
    const words = commandWords(prefix);
    if (words === null || words.length === 0) {
      throw new AccrueError(
        "CONFIG_INVALID",
        `The tool permission "${pattern}" is not a simple command. Write it as run(npm test).`,
      );
    }
    read.prefixes.set(name, [...(read.prefixes.get(name) ?? []), words]);
  }
  return read;
}

function startsWith(words: readonly string[], prefixes: readonly string[][]): boolean {
  return prefixes.some((prefix) => prefix.every((word, at) => words[at] === word));
}

function list(prefixes: readonly string[][]): string {
  return prefixes.map((words) => `\`${words.join(" ")}\``).join(", ");
}

/** Contract: `allowed` null means any command; with prefixes on either side only simple commands pass. */
function restrict(tool: Tool, allowed: string[][] | null, denied: string[][]): Tool {
  const rule = [
    allowed === null ? "" : `Only commands that begin with ${list(allowed)}.`,
    denied.length === 0 ? "" : `Never commands that begin with ${list(denied)}.`,
    "One simple command at a time: no pipes, lists, redirections or substitutions.",
  ]
    .filter(Boolean)
    .join(" ");
  return {
    ...tool,
    description: `${tool.description} ${rule}`,
    async run(input, ...others) {
      const { command } = input as { command?: unknown };
      const words = typeof command === "string" ? commandWords(command) : null;
      if (words === null || startsWith(words, denied) || (allowed && !startsWith(words, allowed))) {
        throw new AccrueError("INPUT_INVALID", `Not allowed: ${String(command)}\n${rule}`);
      }
      return await tool.run(input, ...others);
    },
  };
}

/**
 * What of the tools is allowed: names, `*`, or `run(npm test)` for commands that begin with these words. Deny wins. Prefixes
 * guide a model; what a command can reach is the box's matter.
 */
export function permit(tools: readonly Tool[], allow: readonly string[], deny: readonly string[]): Tool[] {
  const allowed = readPatterns(allow);
  const denied = readPatterns(deny);
  return tools.flatMap((tool) => {
    const isWhole = allowed.names.has("*") || allowed.names.has(tool.name);
    const prefixes = allowed.prefixes.get(tool.name) ?? [];
    if (denied.names.has("*") || denied.names.has(tool.name)) return [];
    if (!isWhole && prefixes.length === 0) return [];
    const deniedPrefixes = denied.prefixes.get(tool.name) ?? [];
    if (isWhole && deniedPrefixes.length === 0) return [tool];
    return [restrict(tool, isWhole ? null : prefixes, deniedPrefixes)];
  });
}
