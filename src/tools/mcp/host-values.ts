import { AccrueError } from "../../shared/index.js";
import type { McpTarget } from "./options.js";

const REFERENCE = /\$\{(?<name>[^}]*)\}/gu;
/** A repository's file must not be able to read the host's own secrets. */
const READABLE = /^ACCRUE_MCP_[A-Z0-9_]+$/u;
/** Shorter values would black out ordinary words. */
const MIN_SECRET_CHARS = 6;

/** A target with the host's values in it, and a function that takes these values out of a text again. */
export interface FilledTarget {
  target: McpTarget;
  redact(text: string): string;
}

/** Puts `ACCRUE_MCP_…` variables of the host into env and headers; throws `CONFIG_INVALID` for any other name. */
export function fillHostValues(
  server: string,
  target: McpTarget,
  env: Readonly<Record<string, string | undefined>>,
): FilledTarget {
  const secrets: string[] = [];
  const valueOf = (name: string, key: string) => {
    if (!READABLE.test(name)) {
      throw new AccrueError(
        "CONFIG_INVALID",
        `mcp.${server}.${key} asks for \${${name}}. Only variables whose names begin with ACCRUE_MCP_ can be used: set one on the host and name it.`,
      );
    }
    const value = env[name];
    if (value === undefined || value === "") {
      throw new AccrueError(
        "CONFIG_MISSING",
        `mcp.${server}.${key} asks for \${${name}}, which is not set. Set ${name} in the environment of Accrue.`,
      );
    }
    secrets.push(value);
    return value;
  };
  const fill = (values: Record<string, string>, group: string) =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [
        key,
        value.replace(REFERENCE, (_whole, name: string) => valueOf(name, `${group}.${key}`)),
      ]),
    );
  const filled: McpTarget =
    target.kind === "stdio"
      ? { ...target, env: fill(target.env, "env") }
      : { ...target, headers: fill(target.headers, "headers") };
  // The longest first: one that begins another must not leave the other's end.
  const hidden = secrets
    .filter((value) => value.length >= MIN_SECRET_CHARS)
    .sort((a, b) => b.length - a.length);
  return {
    target: filled,
    redact: (text) => hidden.reduce((clean, value) => clean.replaceAll(value, "***"), text),
  };
}
