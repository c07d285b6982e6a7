import { AccrueError, closest } from "../../shared/index.js";
import type { RemotePrompt } from "./remote.js";

const WORD =
  /--(?<key>[\w.-]+)=(?:"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>[^']*)'|(?<bare>\S*))|"(?<quoted>(?:[^"\\]|\\.)*)"|(?<plain>\S+)/gsu;

function unescaped(text: string): string {
  return text.replace(/\\(["\\])/gu, "$1");
}

/** How a prompt is called, for messages and for help. */
export function promptUsage(command: string, declared: RemotePrompt["arguments"]): string {
  const parts = declared.map(({ name, required }) => (required ? `--${name}="…"` : `[--${name}="…"]`));
  return [`/${command}`, ...parts].join(" ");
}

/**
 * Reads what was typed after a prompt's command: `--key="value"` by name, everything else by position, where the last argument
 * takes the rest. Throws `INPUT_INVALID` with the usage when it does not fit.
 */
export function promptArguments(
  command: string,
  text: string,
  declared: RemotePrompt["arguments"],
): Record<string, string> {
  const wrong = (what: string) =>
    new AccrueError("INPUT_INVALID", `${what} Write: ${promptUsage(command, declared)}`);
  const values = new Map<string, string>();
  const positional: string[] = [];
  for (const { groups = {} } of text.matchAll(WORD)) {
    const { key, double, single, bare, quoted, plain } = groups;
    if (key === undefined) {
      positional.push(quoted === undefined ? (plain ?? "") : unescaped(quoted));
      continue;
    }
    const names = declared.map(({ name }) => name);
    if (!names.includes(key)) {
      const near = closest(key, names);
      throw wrong(`/${command} has no argument --${key}.${near ? ` Did you mean --${near}?` : ""}`);
    }
    values.set(key, double === undefined ? (single ?? bare ?? "") : unescaped(double));
  }
  const free = declared.map(({ name }) => name).filter((name) => !values.has(name));
  if (positional.length > 0 && free.length === 0) {
    throw wrong(`/${command} takes no argument for "${positional.join(" ")}".`);
  }
  free.forEach((name, at) => {
    const words = at === free.length - 1 ? positional.slice(at) : positional.slice(at, at + 1);
    if (words.length > 0) values.set(name, words.join(" "));
  });
  const missing = declared.filter(({ name, required }) => required && !values.has(name));
  if (missing.length > 0) throw wrong(`/${command} needs ${missing.map(({ name }) => name).join(", ")}.`);
  return Object.fromEntries(values);
}
