import { sha256 } from "../../shared/index.js";

const MAX_TOOL_NAME = 64;
const HASH_CHARS = 8;

/** A tool as its server calls it. */
export interface RemoteName {
  server: string;
  tool: string;
}

/** A server's name as one part of a tool's: without `_`, which ends it. */
function serverPart(server: string): string {
  const part = server.replace(/[^a-zA-Z0-9-]/gu, "-").replace(/-+/gu, "-");
  return part.slice(0, 24);
}

/**
 * Names for the model, `mcp_<server>_<tool>`, in the order of what is named: at most 64 characters that every provider takes. One
 * that had to be cut, or that two would share, ends with a hash of the whole, so that it does not depend on the order.
 */
export function toolNames(remote: readonly RemoteName[]): string[] {
  const plain = remote.map(
    ({ server, tool }) => `mcp_${serverPart(server)}_${tool.replace(/[^a-zA-Z0-9_-]/gu, "_")}`,
  );
  const counts = new Map<string, number>();
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  return remote.map(({ server, tool }, at) => {
    const name = plain[at] ?? "";
    if (name.length <= MAX_TOOL_NAME && counts.get(name) === 1) return name;
    const hash = sha256(`${server}\0${tool}`).slice(0, HASH_CHARS);
    return `${name.slice(0, MAX_TOOL_NAME - HASH_CHARS - 1)}_${hash}`;
  });
}

/** Names for people to type: `<server>:<prompt>`, without spaces. */
export function commandName(server: string, prompt: string): string {
  return `${server}:${prompt}`.replace(/\s+/gu, "-");
}
