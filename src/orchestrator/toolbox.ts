import { discoverTools } from "../tools/index.js";
import type { Run, Toolbox } from "./types.js";

/** Starts the repository's MCP servers and finds its own tools. What does not work is said, and the run goes on without it. */
export async function openToolbox(run: Run, signal: AbortSignal): Promise<Toolbox> {
  const { deps, settings, workspace, board } = run;
  const { discovery_command: discoveryCommand, call_command: callCommand, exclude } = settings.tools;
  const own =
    discoveryCommand === ""
      ? { tools: [], problems: [] }
      : await discoverTools({ box: workspace.box, discoveryCommand, callCommand }, signal);
  // Last, so that nothing that is started here can be left behind.
  const servers = await deps.servers(settings.mcp, signal);
  board.notices.push(...servers.problems, ...own.problems);
  const registry = deps.registry.with(...servers.tools, ...own.tools);
  const writing = [...servers.tools, ...own.tools].filter(({ kind }) => kind === "write");
  return {
    ...servers,
    registry: exclude.length === 0 ? registry : registry.filter(["*"], exclude),
    writing: writing.map(({ name }) => name),
  };
}
