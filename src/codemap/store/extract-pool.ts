import { AccrueError } from "../../shared/index.js";
import {
  type ExtractAnswer,
  type ExtractTask,
  type ExtractThread,
  createExtractThread,
} from "./extract-thread.js";
import type { ExtractJob } from "./messages.js";

/** The compiled worker; tests, which run the sources, use it too. */
export const EXTRACT_WORKER = new URL("../../../dist/codemap/extract-worker.js", import.meta.url);

/** So many files wait inside a thread, so that it never waits for us. */
const AHEAD = 4;

/** Threads that read files, so that a parser that traps or hangs harms one file only. */
export interface ExtractPool {
  /** Contract: rejects only when the pool is closed, or no thread can be started at all. */
  extract(job: ExtractJob): Promise<ExtractAnswer>;
  /** How many threads may be started from now on. */
  allow(threads: number): void;
  close(): Promise<void>;
}

/** Starts threads when there is something to read. */
export function createExtractPool(script: URL): ExtractPool {
  const waiting: ExtractTask[] = [];
  const threads = new Set<ExtractThread>();
  let allowed = 1;
  let isClosed = false;

  function start(): ExtractThread {
    const thread = createExtractThread(script, {
      answered: hand,
      ended: (rest, reason) => {
        threads.delete(thread);
        waiting.unshift(...rest);
        if (reason !== null)
          fail(waiting.splice(0), `The thread that reads code cannot be started: ${reason}.`);
        hand();
      },
    });
    threads.add(thread);
    return thread;
  }

  function fail(tasks: readonly ExtractTask[], message: string): void {
    const advice = "Open the code map again; if that does not help, install Accrue again.";
    for (const task of tasks) task.reject(new AccrueError("CODEMAP_FAILED", `${message} ${advice}`));
  }

  function hand(): void {
    while (waiting.length > 0) {
      const idlest = [...threads].toSorted((a, b) => a.waiting() - b.waiting())[0];
      const load = idlest?.waiting() ?? AHEAD;
      const thread = load > 0 && threads.size < allowed ? start() : load < AHEAD ? idlest : undefined;
      const task = thread && waiting.shift();
      if (!task) return;
      thread.give(task);
    }
  }

  return {
    allow: (count) => {
      allowed = count;
    },
    extract: (job) =>
      new Promise((resolve, reject) => {
        const task = { job, resolve, reject };
        if (isClosed) fail([task], "The code map was closed.");
        else {
          waiting.push(task);
          hand();
        }
      }),
    close: async () => {
      isClosed = true;
      const ending = [...threads];
      threads.clear();
      const rest = await Promise.all(ending.map((thread) => thread.end()));
      fail([...rest.flat(), ...waiting.splice(0)], "The code map was closed.");
    },
  };
}
