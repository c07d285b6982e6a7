import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  createRegistry,
  type McpDeps,
  McpOptions,
  type McpServers,
  openServers,
  type ToolContext,
} from "../../src/tools/index.js";
import { openLocalWorkspace } from "./local-workspace.js";

const SERVER = fileURLToPath(new URL("mcp-server.mjs", import.meta.url));
const NEVER = new AbortController().signal;
/** How long an ended process may take to leave the list of processes. */
const GONE_MS = 2000;

/** Servers under test. */
export interface McpBench {
  folder: string;
  context: ToolContext;
  /** The configuration of a stand-in server over stdio. */
  stdio(mode: string, more?: object): object;
  open(servers: unknown, deps?: Partial<McpDeps>, signal?: AbortSignal): Promise<McpServers>;
  /** The result of one call, as the model gets it. */
  call(
    servers: McpServers,
    name: string,
    input?: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<{ text: string; isError: boolean }>;
  processes(): Promise<number[]>;
  /** The processes that are left, which should be none. */
  close(): Promise<number[]>;
}

/** Opens stand-in servers and closes them again, to the last process. */
export async function openMcpBench(): Promise<McpBench> {
  const workspace = await openLocalWorkspace();
  const folder = await mkdtemp(join(tmpdir(), "accrue-mcp-"));
  const tag = folder.slice(folder.lastIndexOf("-") + 1);
  const opened: McpServers[] = [];
  let calls = 0;

  async function processes(): Promise<number[]> {
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/u.test(name)).map(Number);
    const lines = await Promise.all(
      pids.map(async (pid) => ({
        pid,
        line: await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""),
      })),
    );
    return lines.filter(({ line }) => line.split("\0").includes(tag)).map(({ pid }) => pid);
  }

  return {
    folder,
    context: workspace.context,
    stdio: (mode, more = {}) => ({
      command: process.execPath,
      args: [SERVER, mode, tag],
      trust: true,
      ...more,
    }),
    async open(options, deps = {}, signal = NEVER) {
      const env = { PATH: process.env["PATH"], ...deps.env };
      const servers = await openServers(McpOptions.parse(options), { folder, ...deps, env }, signal);
      opened.push(servers);
      return servers;
    },
    async call(servers, name, input = {}, signal = NEVER) {
      const call = { id: `toolu_${++calls}`, name, input, problem: null };
      const [result] = await createRegistry(servers.tools).execute([call], workspace.context, signal);
      return { text: String(result?.content), isError: result?.is_error === true };
    },
    processes,
    async close() {
      await Promise.all(opened.map((servers) => servers.close()));
      const started = performance.now();
      let left = await processes();
      while (left.length > 0 && performance.now() - started < GONE_MS) {
        await new Promise((soon) => setTimeout(soon, 20));
        left = await processes();
      }
      await workspace.close();
      await rm(folder, { recursive: true, force: true });
      return left;
    },
  };
}
