import { Worker } from "node:worker_threads";
import { AccrueError, messageOf } from "../../shared/index.js";
import type { ExtractJob, WorkerMessage } from "./messages.js";

/** The compiled worker; tests, which run the sources, use it too. */
export const EXTRACT_WORKER = new URL("../../../dist/codemap/extract-worker.js", import.meta.url);

/** A worker stops a parse after 500 ms by itself; one that is silent for so much longer hangs. */
const SILENCE_MS = 1500;
const LOADING_MS = 30_000;
/** So many files wait inside a worker, so that it never waits for us. */
const AHEAD = 4;

/** What became of one file: facts; a reason why it cannot be read here; or how it broke the worker. */
export type PoolAnswer = Exclude<WorkerMessage, { kind: "loading" }> | { kind: "silent"; reason: string };

/** Threads that read files, so that a parser that traps or hangs harms one file only. */
export interface ExtractPool {
  /** Contract: rejects only when the pool is closed, or its worker cannot be started at all. */
  extract(job: ExtractJob): Promise<PoolAnswer>;
  /** How many threads may run from now on. */
  allow(threads: number): void;
  close(): Promise<void>;
}

interface Task {
  job: ExtractJob;
  resolve(answer: PoolAnswer): void;
  reject(error: unknown): void;
}

interface Thread {
  worker: Worker;
  /** Handed over and not answered yet, in order. */
  tasks: Task[];
  hasAnswered: boolean;
  timer: NodeJS.Timeout | null;
}

/** Starts threads when there is something to read; none keeps the process alive while idle. */
export function createExtractPool(script: URL): ExtractPool {
  const waiting: Task[] = [];
  const threads = new Set<Thread>();
  let allowed = 1;
  let isClosed = false;

  function start(): Thread {
    const thread: Thread = { worker: new Worker(script), tasks: [], hasAnswered: false, timer: null };
    threads.add(thread);
    thread.worker.on("message", (message: WorkerMessage) => {
      if (!threads.has(thread)) return;
      if (message.kind === "loading") watch(thread, LOADING_MS);
      else if (message.kind === "broken") replace(thread, message);
      else settle(thread, message);
    });
    thread.worker.on("error", (error) => end(thread, messageOf(error)));
    thread.worker.on("exit", (code) => end(thread, `it ended with code ${code}`));
    return thread;
  }

  function settle(thread: Thread, answer: PoolAnswer): void {
    thread.hasAnswered = true;
    thread.tasks.shift()?.resolve(answer);
    watch(thread, SILENCE_MS);
    hand();
  }

  function watch(thread: Thread, limitMs: number): void {
    if (thread.timer) clearTimeout(thread.timer);
    thread.timer = null;
    const [head] = thread.tasks;
    if (!head) {
      thread.worker.unref();
      return;
    }
    thread.worker.ref();
    const isStill = () => threads.has(thread) && thread.tasks[0] === head;
    const reason = `took longer than ${SILENCE_MS} ms, and its thread was stopped`;
    // An answer may lie unread while this thread was busy itself.
    const look = () => setImmediate(() => isStill() && replace(thread, { kind: "silent", reason }));
    thread.timer = setTimeout(look, limitMs);
  }

  /** Ends a thread whose first file broke it; its other files go to the next one. */
  function replace(thread: Thread, answer: PoolAnswer): void {
    threads.delete(thread);
    if (thread.timer) clearTimeout(thread.timer);
    void thread.worker.terminate();
    thread.tasks.shift()?.resolve(answer);
    waiting.unshift(...thread.tasks.splice(0));
    hand();
  }

  function end(thread: Thread, reason: string): void {
    if (!threads.has(thread)) return;
    // One that never answered cannot be started: the next one would not fare better.
    if (thread.hasAnswered) replace(thread, { kind: "broken", reason: `its thread died: ${reason}` });
    else {
      threads.delete(thread);
      if (thread.timer) clearTimeout(thread.timer);
      const advice = "Build the package again, or reinstall it.";
      fail([...thread.tasks, ...waiting.splice(0)], `The thread that reads code died: ${reason}. ${advice}`);
    }
  }

  function fail(tasks: readonly Task[], message: string): void {
    for (const task of tasks) task.reject(new AccrueError("AGENT_FAILED", message));
  }

  function hand(): void {
    while (waiting.length > 0) {
      const free = [...threads].filter(({ tasks }) => tasks.length < AHEAD);
      const idlest = free.toSorted((a, b) => a.tasks.length - b.tasks.length)[0];
      const thread = idlest?.tasks.length !== 0 && threads.size < allowed ? start() : idlest;
      const task = thread && waiting.shift();
      if (!task) return;
      thread.tasks.push(task);
      thread.worker.postMessage(task.job);
      if (thread.tasks.length === 1) watch(thread, thread.hasAnswered ? SILENCE_MS : LOADING_MS);
    }
  }

  return {
    allow: (count) => {
      allowed = count;
    },
    extract: (job) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(new AccrueError("AGENT_FAILED", "The code map was closed: open it again to read files."));
          return;
        }
        waiting.push({ job, resolve, reject });
        hand();
      }),
    close: async () => {
      isClosed = true;
      const ending = [...threads];
      threads.clear();
      for (const { timer } of ending) if (timer) clearTimeout(timer);
      fail([...ending.flatMap(({ tasks }) => tasks), ...waiting.splice(0)], "The code map was closed.");
      await Promise.all(ending.map(({ worker }) => worker.terminate()));
    },
  };
}
