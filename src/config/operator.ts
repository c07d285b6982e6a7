import { readFileSync } from "node:fs";
import { z } from "zod";
import { AccrueError, messageOf } from "../shared/index.js";
import { EmbeddingServer } from "../memory/index.js";
import { McpOptions } from "../tools/index.js";
import { parseYaml } from "./parse.js";

/** `accrue.server.yml`: what the operator of a server for many repositories lets them use on its host. */
export const OperatorFile = z.strictObject({
  mcp: McpOptions.default({}).describe("MCP servers that repositories may use, written as in agent.yml."),
  embedders: z
    .array(EmbeddingServer)
    .default([])
    .describe(
      "Embedding servers that repositories may name in memory.embedder; the key is the one named here.",
    ),
});

/** See the schema of the same name. */
export type OperatorFile = z.infer<typeof OperatorFile>;

/** Reads the operator's file; without one nothing is allowed. Throws `CONFIG_INVALID` with what is wrong. */
export function readOperatorFile(path: string | undefined): OperatorFile {
  if (path === undefined) return OperatorFile.parse({});
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw invalid(path, `it cannot be read: ${messageOf(cause)}`, cause);
  }
  const { value, problems } = parseYaml(text, path);
  const [problem] = problems;
  if (problem) throw invalid(`${path}:${problem.line}`, problem.message);
  const parsed = OperatorFile.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(path, z.prettifyError(parsed.error));
}

function invalid(where: string, what: string, cause?: unknown): AccrueError {
  const message = `The server cannot start. ACCRUE_SERVER_FILE names ${where}: ${what}`;
  return new AccrueError("CONFIG_INVALID", message, { cause });
}
