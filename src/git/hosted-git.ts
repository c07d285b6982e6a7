import { AccrueError, linkSignals } from "../shared/index.js";
import type { FromGitHost, GitCall } from "./host-messages.js";
import { createHostProcess } from "./host-process.js";
import type { Git, GitOptions, GitResult, GitRun } from "./types.js";

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/**
 * The same git, started by a small process of its own: the kernel copies the tables of the process that starts a program, which holds a
 * large one up for 10 ms each time.
 */
export function createHostedGit(options: GitOptions): Git {
  const ask = createAsking();
  const call = <Answer>(
    method: GitCall["method"],
    subjects: readonly string[],
    { signal, ...run }: Pick<GitRun, "signal"> & Partial<GitRun>,
  ) => ask({ options, method, subjects, run: { folder: options.home, ...run } }, signal) as Promise<Answer>;
  return {
    run: (args, run) => call<string>("run", args, run),
    attempt: (args, run) => call<GitResult>("attempt", args, run),
    readBlobs: (ids, run) => call<Map<string, Buffer>>("readBlobs", ids, run),
    checkBranchName: (name, signal) => call<void>("checkBranchName", [name], { signal }),
  };
}

function createAsking(): (call: GitCall, signal: AbortSignal) => Promise<unknown> {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const host = createHostProcess({
    take: (message) => {
      const asker = waiting.get(message.id);
      settle(message.id);
      if ("answer" in message) asker?.resolve(message.answer);
      else asker?.reject(errorOf(message.error));
    },
    lost: (why) => {
      const error = new AccrueError("GIT_FAILED", `The process that runs git ended: ${why}.`, {
        retryable: true,
      });
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    },
  });

  function settle(id: number): void {
    waiting.delete(id);
    if (waiting.size === 0) host.rest();
  }

  return async (call, signal) => {
    signal.throwIfAborted();
    const id = ++last;
    // The signal of a run is listened to by many at a time.
    const linked = linkSignals([signal]);
    try {
      return await new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        const stop = () => {
          host.send({ id, abort: true });
          settle(id);
          reject(signal.reason);
        };
        linked.signal.addEventListener("abort", stop, { once: true });
        host.send({ id, call });
      });
    } finally {
      linked.release();
    }
  };
}

function errorOf({ code, message, retryable }: Extract<FromGitHost, { error: unknown }>["error"]): Error {
  return code === null ? new Error(message) : new AccrueError(code, message, { retryable });
}
