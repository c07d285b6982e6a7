import type { Server } from "@modelcontextprotocol/sdk/server/index.js";

/** A stand-in MCP server of the given mode, for any transport. */
export function createTestServer(mode: string): Server;

/** How many calls have come in, in this process. */
export function callsSoFar(): number;
