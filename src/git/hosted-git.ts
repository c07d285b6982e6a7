import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { AccrueError, linkSignals } from "../shared/index.js";
import type { FromGitHost, GitCall, ToGitHost } from "./host-messages.js";
import type { Git, GitOptions, GitResult, GitRun } from "./types.js";

/** The built file: a process cannot start from TypeScript. */
const GIT_HOST = fileURLToPath(new URL("../../dist/git/git-host.js", import.meta.url));
/** A host that nobody asks takes memory for nothing. */
const IDLE_MS = 30_000;

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/**
 * The same git, started by a small process of its own: the kernel copies the tables of the process that starts a program, which holds a
 * large one up for 10 ms each time. The host begins with the first call, ends when nobody asked for a while, and with us.
 */
export function createHostedGit(options: GitOptions): Git {
  const host = createHost();
  const call = <Answer>(
    method: GitCall["method"],
    subjects: readonly string[],
    { signal, ...run }: Pick<GitRun, "signal"> & Partial<GitRun>,
  ) =>
    host.ask({ options, method, subjects, run: { folder: options.home, ...run } }, signal) as Promise<Answer>;
  return {
    run: (args, run) => call<string>("run", args, run),
    attempt: (args, run) => call<GitResult>("attempt", args, run),
    readBlobs: (ids, run) => call<Map<string, Buffer>>("readBlobs", ids, run),
    checkBranchName: (name, signal) => call<void>("checkBranchName", [name], { signal }),
  };
}

function createHost(): { ask(call: GitCall, signal: AbortSignal): Promise<unknown> } {
  const waiting = new Map<number, Waiting>();
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | null = null;
  let last = 0;

  function lost(which: ChildProcess, why: string): void {
    if (child !== which) return;
    child = null;
    const error = new AccrueError("GIT_FAILED", `The process that runs git ended: ${why}.`, {
      retryable: true,
    });
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function start(): ChildProcess {
    const started = fork(GIT_HOST, [], {
      env: {},
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    started.on("message", take);
    started.once("error", (error) => lost(started, error.message));
    started.once("exit", (code, killedBy) => lost(started, killedBy ?? `exit code ${code}`));
    started.unref();
    return started;
  }

  function take(message: FromGitHost): void {
    const asker = waiting.get(message.id);
    settle(message.id);
    if ("answer" in message) asker?.resolve(message.answer);
    else asker?.reject(errorOf(message.error));
  }

  /** We stay as long as an answer is waited for, and no longer. */
  function settle(id: number): void {
    waiting.delete(id);
    if (waiting.size > 0) return;
    child?.channel?.unref();
    idle ??= setTimeout(rest, IDLE_MS).unref();
    idle.refresh();
  }

  function rest(): void {
    if (waiting.size > 0 || !child) return;
    const rested = child;
    child = null;
    rested.disconnect();
  }

  function send(message: ToGitHost): void {
    const host = (child ??= start());
    host.channel?.ref();
    host.send(message, (error) => error && lost(host, error.message));
  }

  return {
    ask: async (call, signal) => {
      signal.throwIfAborted();
      const id = ++last;
      const stop = () => {
        const asker = waiting.get(id);
        if (child) send({ id, abort: true });
        settle(id);
        asker?.reject(signal.reason);
      };
      // The signal of a run is listened to by many at a time.
      const linked = linkSignals([signal]);
      linked.signal.addEventListener("abort", stop, { once: true });
      try {
        return await new Promise((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          send({ id, call });
        });
      } finally {
        linked.signal.removeEventListener("abort", stop);
        linked.release();
      }
    },
  };
}

function errorOf({ code, message, retryable }: Extract<FromGitHost, { error: unknown }>["error"]): Error {
  return code === null ? new Error(message) : new AccrueError(code, message, { retryable });
}
