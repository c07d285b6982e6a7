import type { Files } from "../workspace/index.js";
import { type Look, custom, tests, types } from "./commands.js";
import { detectCompiled } from "./detect-compiled.js";
import { detectNode } from "./detect-node.js";
import { detectPython } from "./detect-python.js";
import type { ValidateConfig } from "./options.js";
import type { Command } from "./types.js";

/**
 * Finds the commands that a repository is checked with: types first, then tests, then what is its own. Its configuration's
 * `commands` replace a detected command of the same name, or switch it off with an empty text; names that nothing detects are
 * custom checks.
 */
export async function detectCommands(
  files: Files,
  { commands, custom: rules }: Pick<ValidateConfig, "commands" | "custom">,
): Promise<Command[]> {
  const look = await lookAt(files);
  const detected = [...(await detectNode(look)), ...(await detectPython(look)), ...detectCompiled(look)];
  // The first of a kind carries the plain name, which is what people override.
  const named = detected.map((command, i): Command => {
    const isFirst = detected.findIndex((other) => other.kind === command.kind) === i;
    return isFirst && command.kind !== "custom" ? { ...command, name: command.kind } : command;
  });
  const own = rules.flatMap((rule) => ("command" in rule ? [custom(rule.name, rule.command)] : []));
  return [...applyOverrides(named, commands), ...own].sort((a, b) => ORDER[a.kind] - ORDER[b.kind]);
}

/** What the detectors read of a checkout. */
export async function lookAt(files: Files): Promise<Look> {
  const paths = await files.list();
  const known = new Set(paths);
  return {
    paths,
    has: (path) => known.has(path),
    read: async (path) => (known.has(path) ? ((await files.read(path))?.toString("utf8") ?? "") : ""),
  };
}

const ORDER = { types: 0, tests: 1, custom: 2 } as const;

function applyOverrides(detected: Command[], overrides: Readonly<Record<string, string>>): Command[] {
  const kept = detected
    .map((command): Command => {
      const line = overrides[command.name];
      if (line === undefined) return command;
      // What was known of the detected command is not known of this one.
      const { kind, name, timeoutMs } = command;
      return { kind, name, command: line, timeoutMs };
    })
    .filter((command) => command.command.trim() !== "");
  const added = Object.entries(overrides)
    .filter(([name, line]) => line.trim() !== "" && !detected.some((command) => command.name === name))
    .map(([name, line]): Command => {
      if (name === "tests") return tests(name, line);
      if (name === "types") return types(name, line);
      return custom(name, line);
    });
  return [...kept, ...added];
}
