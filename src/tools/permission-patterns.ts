import { AccrueError, closest } from "../shared/index.js";
import { simpleCommands } from "./command-words.js";
import { SKILL_TOOL } from "./skill-tool.js";
import type { Tool } from "./types.js";

const PREFIXED = /^(?<name>[\w-]+)\((?<prefix>.+)\)$/su;
/** Tools of others come and go with their servers; nobody can say that such a name is wrong. */
const EXTRA = /^(?:mcp|ext)_/;
/** Tools that a registry gets from other modules, where there is something for them to do. */
export const ARRIVING = [
  SKILL_TOOL,
  "call_tool",
  "complete_task",
  "find_references",
  "find_symbol",
  "note",
  "recall",
  "search_tools",
  "todo",
];

/** An allow or deny list, read. */
export interface Patterns {
  /** Whether a whole tool is named, also by `*` or `mcp_jira_*`. */
  names(tool: string): boolean;
  /** The command prefixes of a tool, as words. */
  prefixesOf(tool: string): string[][];
}

function invalid(pattern: string, why: string): never {
  throw new AccrueError("CONFIG_INVALID", `The tool permission "${pattern}" ${why}`);
}

function takesCommand(tool: Tool | undefined): boolean {
  const shape = tool?.input as { shape?: Record<string, unknown> } | undefined;
  return shape?.shape?.["command"] !== undefined;
}

function readPrefix(pattern: string, prefix: string): string[] {
  const [words, ...others] = simpleCommands(prefix) ?? [];
  if (words === undefined || others.length > 0) {
    return invalid(pattern, "is not a simple command. Write it as run(npm test).");
  }
  if (words.some(({ text }) => /[*?[]/.test(text))) {
    return invalid(
      pattern,
      "has a wildcard. Leave it out: run(npm test) covers every command that begins so.",
    );
  }
  return words.map(({ text }) => text);
}

function checkName(pattern: string, name: string, known: readonly string[]): void {
  if (EXTRA.test(name) || known.includes(name)) return;
  if (name.endsWith("*") && known.some((tool) => tool.startsWith(name.slice(0, -1)))) return;
  const near = closest(name, known);
  const hint = near === null ? `There are: ${known.join(", ")}.` : `Did you mean "${near}"?`;
  invalid(pattern, `names no tool. ${hint}`);
}

/** Reads a list. Throws `CONFIG_INVALID` for what can never fit: in a deny list, a mistyped name would protect nothing. */
export function readPatterns(
  patterns: readonly string[],
  tools: readonly Tool[],
  known: readonly string[],
): Patterns {
  const names: string[] = [];
  const prefixes = new Map<string, string[][]>();
  const all = [...new Set([...tools.map(({ name }) => name), ...known, ...ARRIVING])].sort();
  for (const pattern of patterns.map((text) => text.trim())) {
    const { name = pattern, prefix } = PREFIXED.exec(pattern)?.groups ?? {};
    checkName(pattern, name, all);
    if (prefix === undefined) {
      names.push(name);
      continue;
    }
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool !== undefined && !takesCommand(tool)) {
      invalid(pattern, `names a command, and ${name} takes none. Write ${name}.`);
    }
    prefixes.set(name, [...(prefixes.get(name) ?? []), readPrefix(pattern, prefix)]);
  }
  return {
    names: (tool) =>
      names.some((name) => (name.endsWith("*") ? tool.startsWith(name.slice(0, -1)) : tool === name)),
    prefixesOf: (tool) => prefixes.get(tool) ?? [],
  };
}
