import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { AccrueError, closest, messageOf } from "../shared/index.js";
import { AgentConfig } from "./schema.js";

/** Something wrong in a configuration file, at its line (counted from 1; 0 where there is none). */
export interface ConfigProblem {
  file: string;
  line: number;
  code: string;
  message: string;
}

/** The key in `.github/agent.yml` that names another repository's file to build on. */
export const EXTENDS = "_extends";

/** Reads YAML into a plain object; wrong YAML is a problem at its line. */
export function parseYaml(
  text: string,
  file: string,
): { value: Record<string, unknown>; problems: ConfigProblem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const problems = document.errors.map((error) => ({
    file,
    line: lines.linePos(error.pos[0]).line,
    code: "yaml",
    message: error.message.split("\n")[0] ?? "",
  }));
  let value: unknown = {};
  try {
    if (problems.length === 0) value = document.toJS() ?? {};
  } catch (error) {
    // Names that stand for other parts: one that is not there, or so many that they would fill the memory.
    problems.push({ file, line: 1, code: "yaml", message: `${messageOf(error)}: write the values out.` });
  }
  if (!isRecord(value)) {
    problems.push({
      file,
      line: 1,
      code: "not-a-mapping",
      message: "The file has to be a mapping of keys, such as `label: agent`.",
    });
  }
  return { value: isRecord(value) ? value : {}, problems };
}

/** Checks a configuration against the schema; every problem names its line, and a typo the key that was probably meant. */
export function checkConfig(text: string, file: string): ConfigProblem[] {
  const { value, problems } = parseYaml(text, file);
  if (problems.length > 0) return problems;
  const { [EXTENDS]: _, ...own } = value;
  const result = AgentConfig.safeParse(own);
  if (result.success) return [];
  return result.error.issues.flatMap((issue) =>
    describe(issue).map(({ path, ...problem }) => ({ file, line: lineOf(text, path), ...problem })),
  );
}

/** The checked configuration of several layers, the last one winning key by key. Throws `CONFIG_INVALID` naming file, line and cure. */
export function mergeConfig(layers: readonly { text: string; file: string }[]): AgentConfig {
  const problems = layers.flatMap(({ text, file }) => checkConfig(text, file));
  if (problems.length > 0) throw invalid(problems);
  const merged = layers.reduce<Record<string, unknown>>(
    (sum, { text, file }) => mergeDeep(sum, parseYaml(text, file).value),
    {},
  );
  delete merged[EXTENDS];
  return AgentConfig.parse(merged);
}

function invalid(problems: readonly ConfigProblem[]): AccrueError {
  const list = problems.map(({ file, line, message }) => `${file}:${line} ${message}`).join("; ");
  return new AccrueError(
    "CONFIG_INVALID",
    `The configuration cannot be used: ${list}. Check it with \`accrue config check\`.`,
  );
}

function mergeDeep(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    merged[key] = isRecord(before) && isRecord(value) ? mergeDeep(before, value) : value;
  }
  return merged;
}

function describe(issue: z.core.$ZodIssue): { path: PropertyKey[]; code: string; message: string }[] {
  if (issue.code !== "unrecognized_keys")
    return [{ path: issue.path, code: issue.code, message: `${issue.path.join(".")}: ${issue.message}` }];
  const known = keysAt(issue.path);
  return issue.keys.map((key) => {
    const meant = closest(key, known);
    const hint = meant ? `did you mean ${meant}?` : `known keys here: ${known.join(", ")}`;
    return {
      path: [...issue.path, key],
      code: "unknown-key",
      message: `${[...issue.path, key].join(".")} is no key of this version; ${hint}`,
    };
  });
}

/** Keys that the schema knows at a path. */
function keysAt(path: readonly PropertyKey[]): string[] {
  let schema = z.toJSONSchema(AgentConfig, { io: "input" }) as { properties?: Record<string, object> };
  for (const key of path) schema = schema.properties?.[String(key)] ?? {};
  return Object.keys(schema.properties ?? {});
}

/** Line of the deepest key of a path that the file holds. */
function lineOf(text: string, path: readonly PropertyKey[]): number {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, keepSourceTokens: true });
  for (let depth = path.length; depth > 0; depth--) {
    const node = document.getIn(path.slice(0, depth), true) as
      | { range?: [number, number, number] }
      | undefined;
    if (node?.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
