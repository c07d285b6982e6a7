import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { kill as killProcess } from "node:process";
import { AccrueError } from "../shared/index.js";

const DEFAULT_SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin";
const MAX_OUTPUT_BYTES = 128 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;

/** How one git command is called besides its arguments. */
interface GitCall {
  input?: string | Buffer;
  environment?: Record<string, string>;
}

/** Runs git in the forge's bare repositories, without any setting of the person who started the forge. */
export interface Git {
  /** Standard output. Rejects with `GIT_FAILED` on any exit status but 0. */
  bytes(folder: string, commandLine: string[], call?: GitCall): Promise<Buffer>;
  text(folder: string, commandLine: string[], call?: GitCall): Promise<string>;
  /** Exit status and output, for commands that answer with their status. */
  attempt(folder: string, commandLine: string[], call?: GitCall): Promise<{ status: number; output: string }>;
  /**
   * A git process with open pipes. `end` ends it with all that it started: a backend whose client went away would wait for the rest
   * of its request for ever.
   */
  serve(
    commandLine: string[],
    environment: Record<string, string>,
  ): { child: ChildProcessWithoutNullStreams; end(): void };
}

/** Makes the runner; its processes end with the signal. */
export function createGit(deps: { signal: AbortSignal }, options: { searchPath?: string | undefined }): Git {
  const closed = {
    PATH: options.searchPath ?? DEFAULT_SEARCH_PATH,
    HOME: "/nonexistent",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
  const start = (commandLine: string[], environment: Record<string, string>) =>
    spawn("git", commandLine, { env: { ...closed, ...environment }, signal: deps.signal });

  async function run(folder: string, commandLine: string[], call: GitCall) {
    const child = start(["-C", folder, "-c", "core.quotePath=false", ...commandLine], call.environment ?? {});
    const { output, errorText, status } = await collect(child, call.input);
    return { status, output, errorText };
  }
  async function bytes(folder: string, commandLine: string[], call: GitCall = {}) {
    const { status, output, errorText } = await run(folder, commandLine, call);
    if (status === 0) return output;
    throw new AccrueError(
      "GIT_FAILED",
      `git ${commandLine.join(" ")} ended with ${status} in the forge's ${folder}: ${errorText.trim()}`,
    );
  }
  return {
    bytes,
    text: async (folder, commandLine, call) => (await bytes(folder, commandLine, call)).toString("utf8"),
    async attempt(folder, commandLine, call = {}) {
      const { status, output } = await run(folder, commandLine, call);
      return { status, output: output.toString("utf8") };
    },
    serve(commandLine, environment) {
      const env = { ...closed, ...environment };
      const child = spawn("git", commandLine, { env, detached: true });
      const end = () => endGroup(child);
      deps.signal.addEventListener("abort", end, { once: true });
      child.once("close", () => deps.signal.removeEventListener("abort", end));
      return { child, end };
    },
  };
}

/** Ends a process that was started detached, and with it all of its group; once they are gone nothing happens. */
function endGroup({ pid }: ChildProcessWithoutNullStreams): void {
  if (pid === undefined) return;
  try {
    killProcess(-pid, "SIGTERM");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Feeds a process and gathers what it says until it ends. */
function collect(
  child: ChildProcessWithoutNullStreams,
  input: string | Buffer | undefined,
): Promise<{ status: number; output: Buffer; errorText: string }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let errorText = "";
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT_BYTES) child.kill();
      else chunks.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (errorText.length < MAX_ERROR_BYTES) errorText += chunk.toString("utf8");
    });
    child.on("error", (cause) =>
      reject(new AccrueError("GIT_FAILED", `git could not run: ${cause.message}. Install git.`, { cause })),
    );
    child.on("close", (code) => resolve({ status: code ?? 1, output: Buffer.concat(chunks), errorText }));
    // git may close its input early (an unknown object); its exit status tells.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
