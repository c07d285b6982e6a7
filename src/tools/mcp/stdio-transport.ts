import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { kill as killProcess } from "node:process";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";

const MAX_LINE_BYTES = 10 * 1024 * 1024;
const SAID_CHARS = 4096;
/** How long an ended input, and then SIGTERM, may take to end the server. */
const END_GRACE_MS = 1000;
/** How long its pipes may stay open after its end, held by a process that got away. */
const PIPE_GRACE_MS = 500;
/** Of the host's environment a server sees this and nothing else. */
const INHERITED = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];

/** A program to speak with over its standard input and output. */
export interface StdioLaunch {
  command: string;
  args: readonly string[];
  /** Its own variables; of `hostEnv` only what every program needs goes with them. */
  env: Readonly<Record<string, string>>;
  hostEnv: Readonly<Record<string, string | undefined>>;
  folder: string;
}

/** Calls back with each line; keeps what is not yet a whole one, up to a limit. */
function createLineReader(onLine: (line: string) => void, onTooLong: () => void): (chunk: Buffer) => void {
  let pending: Buffer[] = [];
  let bytes = 0;
  return (chunk) => {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      onLine(Buffer.concat([...pending, rest.subarray(0, end)]).toString("utf8"));
      [pending, bytes] = [[], 0];
      rest = rest.subarray(end + 1);
    }
    pending.push(rest);
    bytes += rest.length;
    if (bytes > MAX_LINE_BYTES) onTooLong();
  };
}

function messageIn(line: string): JSONRPCMessage | null {
  try {
    return JSONRPCMessageSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

function killGroup(child: ChildProcess, name: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    killProcess(-child.pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Whether something happens before the time is up. */
async function isInTime(happening: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("late"), ms);
  });
  const first = await Promise.race([happening, late]);
  clearTimeout(timer);
  return first !== "late";
}

/**
 * Ends a program as the protocol says: its input ends, then it is told to, then it is made to. One that never spoke the protocol
 * has nothing to finish.
 */
async function end(child: ChildProcessWithoutNullStreams, hasSpoken: boolean): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  if (hasSpoken) {
    child.stdin.end();
    if (await isInTime(gone, END_GRACE_MS)) return;
    killGroup(child, "SIGTERM");
    if (await isInTime(gone, END_GRACE_MS)) return;
  }
  killGroup(child, "SIGKILL");
  await gone;
}

/**
 * The SDK's stdio transport starts the program in our own process group, so that what it started in turn (`npx` does) outlives
 * it. This one has a group of its own, and keeps what the program says beside the protocol for error messages.
 */
export function createStdioTransport(launch: StdioLaunch): Transport & { said(): string } {
  let child: ChildProcessWithoutNullStreams | null = null;
  let said = "";
  let hasSpoken = false;
  const note = (text: string) => {
    said = (said + text).slice(-SAID_CHARS);
  };
  const transport: Transport & { said(): string } = {
    said: () => said.trim(),
    start: () =>
      new Promise((resolve, reject) => {
        const { command, args, env, hostEnv, folder } = launch;
        const inherited = INHERITED.flatMap((name) => (hostEnv[name] ? [[name, hostEnv[name]]] : []));
        const started = spawn(command, args, {
          cwd: folder,
          env: { ...Object.fromEntries(inherited), ...env },
          detached: true,
        });
        child = started;
        // A program that does not read its input ends the connection by its exit, not by this.
        started.stdin.on("error", () => {});
        started.stderr.on("data", (chunk: Buffer) => note(chunk.toString("utf8")));
        const onLine = (line: string) => {
          const message = messageIn(line);
          hasSpoken ||= message !== null;
          if (message) transport.onmessage?.(message);
          else note(`${line}\n`);
        };
        started.stdout.on(
          "data",
          createLineReader(onLine, () => void end(started, hasSpoken)),
        );
        started.on("spawn", resolve);
        started.on("error", reject);
        started.on("exit", () => {
          killGroup(started, "SIGKILL");
          const pipes = [started.stdout, started.stderr];
          setTimeout(() => pipes.forEach((pipe) => pipe.destroy()), PIPE_GRACE_MS).unref();
        });
        started.on("close", () => transport.onclose?.());
      }),
    send: (message) =>
      new Promise((resolve, reject) => {
        if (!child) return reject(new Error("Not connected"));
        child.stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
      }),
    close: () => (child ? end(child, hasSpoken) : Promise.resolve()),
  };
  return transport;
}
