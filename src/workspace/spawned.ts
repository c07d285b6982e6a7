import { spawn } from "node:child_process";
import { kill as killProcess } from "node:process";
import type { Readable, Stream } from "node:stream";
import { createCappedOutput } from "./capped-output.js";

/** How long the pipes of an ended command may stay open, held by a process that got away. */
const PIPE_GRACE_MS = 500;
/** The fourth descriptor: where bubblewrap reports what became of the command. */
const STATUS_FD = 3;

/** A program to start, completely described. */
export interface Launch {
  program: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  folder: string;
  /** The user to become; null to stay. */
  uid: number | null;
  timeoutMs: number;
  /** Text for its standard input; null for none. */
  stdin: string | null;
}

/** How a started program ended. */
export interface Ending {
  /** Null when a signal ended it. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** What was written to descriptor 3. */
  status: string;
  timedOut: boolean;
  durationMs: number;
}

/**
 * Starts a program in a process group of its own and waits for its end. The group is killed when the time is up, when
 * the signal fires (then rejects with its reason) and when the program has ended.
 */
export function launch(input: Launch, signal: AbortSignal): Promise<Ending> {
  signal.throwIfAborted();
  const started = performance.now();
  const child = spawn(input.program, input.args, {
    cwd: input.folder,
    env: input.env,
    detached: true,
    stdio: [input.stdin === null ? "ignore" : "pipe", "pipe", "pipe", "pipe"],
    ...(input.uid === null ? {} : { uid: input.uid, gid: input.uid }),
  });
  // A program need not read what it is given.
  child.stdin?.on("error", () => {});
  child.stdin?.end(input.stdin);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const status = collect(child.stdio[STATUS_FD]);
  const kill = () => {
    if (child.pid === undefined) return;
    try {
      killProcess(-child.pid, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  };
  return new Promise((resolve, reject) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      kill();
    }, input.timeoutMs);
    signal.addEventListener("abort", kill, { once: true });
    let grace: NodeJS.Timeout | undefined;
    const settle = () => {
      clearTimeout(timer);
      clearTimeout(grace);
      signal.removeEventListener("abort", kill);
    };
    child.on("exit", () => {
      kill();
      grace = setTimeout(() => [stdout, stderr, status].forEach((output) => output.close()), PIPE_GRACE_MS);
    });
    child.on("error", (error) => {
      settle();
      reject(signal.aborted ? (signal.reason as Error) : error);
    });
    child.on("close", (code) => {
      settle();
      if (signal.aborted) return reject(signal.reason as Error);
      const durationMs = Math.round(performance.now() - started);
      const texts = { stdout: stdout.text(), stderr: stderr.text(), status: status.text() };
      resolve({ exitCode: timedOut ? null : code, ...texts, timedOut, durationMs });
    });
  });
}

function collect(stream: Stream | null | undefined): { text: () => string; close: () => void } {
  const output = createCappedOutput();
  stream?.on("data", (chunk: Buffer) => output.add(chunk));
  return { text: () => output.text(), close: () => (stream as Readable | null)?.destroy() };
}
