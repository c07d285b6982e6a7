import { AccrueError, clipMiddle } from "../../shared/index.js";
import type { Tool, ToolContext } from "../types.js";
import { callForText } from "./call-for-text.js";
import type { Connection } from "./connect.js";
import { inputSchemaOf } from "../json-schema.js";
import { type McpServer, PATIENCE } from "./options.js";
import type { RemoteTool } from "./remote.js";

const MAX_DESCRIPTION_CHARS = 2000;
const MAX_SHOWN_INPUT_CHARS = 500;
/** A person who is asked needs time as well. */
const ANSWER_MS = 15 * 60_000;
/** Names of properties that every provider takes. */
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/u;

/** A tool of a server with all that is needed to call it. */
export interface OfferedTool {
  connection: Connection;
  server: McpServer;
  tool: RemoteTool;
}

function isAllowed({ server, tool }: OfferedTool): boolean {
  return server.trust || server.grantedTools.includes(tool.name) || tool.annotations.readOnlyHint;
}

/** Asks a person for a tool once; who said no is not asked again either. */
function createConsent({ connection, tool }: OfferedTool) {
  let answer: Promise<boolean> | null = null;
  return async (input: unknown, { askPerson }: ToolContext, signal: AbortSignal): Promise<void> => {
    const name = `"${tool.name}" of the MCP server "${connection.server}"`;
    if (askPerson === null) {
      throw new AccrueError(
        "INPUT_INVALID",
        `${name} may change things, and nobody can be asked here. Go on without it. To allow it, a person writes ${tool.name} into mcp.${connection.server}.include_tools, or trust: true, in .github/agent.yml.`,
      );
    }
    const shown = clipMiddle(JSON.stringify(input), MAX_SHOWN_INPUT_CHARS);
    answer ??= askPerson(`May ${name} be called in this run? First with: ${shown}`, signal);
    try {
      if (await answer) return;
    } catch (error) {
      answer = null;
      throw error;
    }
    throw new AccrueError("INPUT_INVALID", `A person did not allow ${name} in this run. Go on without it.`);
  };
}

/** Offers a server's tool to the model under our name. Throws `INPUT_INVALID` when its schema is none that a model can be given. */
export function remoteTool(name: string, offered: OfferedTool): Tool {
  const { connection, server, tool } = offered;
  const { schema, spec } = inputSchemaOf(tool.inputSchema);
  const odd = Object.keys((spec["properties"] as object | undefined) ?? {}).find(
    (key) => !PROPERTY.test(key),
  );
  if (odd !== undefined) {
    throw new AccrueError("INPUT_INVALID", `The schema cannot be used: no model takes the name "${odd}".`);
  }
  const isFree = isAllowed(offered);
  const consent = createConsent(offered);
  return {
    name,
    description: clipMiddle(
      tool.description || `${tool.name} of ${connection.server}`,
      MAX_DESCRIPTION_CHARS,
    ),
    input: schema,
    inputSchema: spec,
    kind: tool.annotations.readOnlyHint ? "read" : "write",
    timeoutMs: server.timeoutMs * PATIENCE + (isFree ? 0 : ANSWER_MS),
    async run(input, context, signal) {
      if (!isFree) await consent(input, context, signal);
      return await callForText({ connection, tool, input }, signal);
    },
  };
}
