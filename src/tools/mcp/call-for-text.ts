import { z } from "zod";
import { AccrueError, clipMiddle, isAccrueError } from "../../shared/index.js";
import type { Connection } from "./connect.js";
import { contentText } from "./content-text.js";
import { inputSchemaOf } from "../json-schema.js";
import type { RemoteResult, RemoteTool } from "./remote.js";
import { asUntrusted } from "./untrusted.js";

const NO_OUTPUT = "(no output)";

/** One call of a server's tool. */
export interface RemoteCall {
  connection: Connection;
  tool: RemoteTool;
  input: unknown;
  /** Characters that are kept of the answer; all when left out. */
  maxChars?: number;
}

function textOf({ content, structuredContent }: RemoteResult): string {
  const text = content.map(contentText).filter(Boolean).join("\n\n");
  if (text.trim() !== "") return text;
  return structuredContent === undefined ? "" : JSON.stringify(structuredContent, null, 2);
}

/** What the tool's own schema says against its answer; a schema that does not compile says nothing. */
function mismatchOf(
  { outputSchema }: RemoteTool,
  { structuredContent, isError }: RemoteResult,
): string | null {
  if (outputSchema === undefined || isError) return null;
  try {
    const read = inputSchemaOf(outputSchema).schema.safeParse(structuredContent);
    return read.success ? null : z.prettifyError(read.error);
  } catch (error) {
    if (isAccrueError(error, "INPUT_INVALID")) return null;
    throw error;
  }
}

/** Calls a tool and gives its answer as marked text. Throws `INPUT_INVALID` with the same text when the tool says that it failed. */
export async function callForText(call: RemoteCall, signal: AbortSignal): Promise<string> {
  const { connection, tool, input, maxChars = Infinity } = call;
  const source = `mcp:${connection.server}`;
  const result = await connection.call(tool, input, signal).catch((error: unknown) => {
    // Parts of what went wrong are the server's words.
    if (!isAccrueError(error, "MCP_FAILED")) throw error;
    throw new AccrueError("MCP_FAILED", asUntrusted(error.message, source), { cause: error });
  });
  const text = connection.redact(textOf(result));
  const shown = text.trim() === "" ? NO_OUTPUT : asUntrusted(clipMiddle(text, maxChars), source);
  if (result.isError) throw new AccrueError("INPUT_INVALID", `${tool.name} failed:\n${shown}`);
  const mismatch = mismatchOf(tool, result);
  if (mismatch === null) return shown;
  throw new AccrueError(
    "INPUT_INVALID",
    `The answer of ${tool.name} does not fit its own outputSchema:\n${asUntrusted(mismatch, source)}\nIt said:\n${shown}`,
  );
}
