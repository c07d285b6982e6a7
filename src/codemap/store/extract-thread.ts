import { Worker } from "node:worker_threads";
import { messageOf } from "../../shared/index.js";
import type { ExtractJob, WorkerMessage } from "./messages.js";

/** A worker stops a parse after 500 ms by itself; one that is silent for so much longer hangs. */
const SILENCE_MS = 1500;
const LOADING_MS = 30_000;

/** What became of one file: facts; a reason why it cannot be read here; or how it broke its thread. */
export type ExtractAnswer = Exclude<WorkerMessage, { kind: "loading" }>;

/** One file that waits for its answer. */
export interface ExtractTask {
  job: ExtractJob;
  resolve(answer: ExtractAnswer): void;
  reject(error: unknown): void;
}

/** One thread that answers tasks in the order in which they were given. */
export interface ExtractThread {
  give(task: ExtractTask): void;
  /** How many tasks it has not answered yet. */
  waiting(): number;
  /** Ends it and gives back what it has not answered. */
  end(): Promise<ExtractTask[]>;
}

/** What a thread tells whoever started it. */
export interface ThreadEvents {
  answered(): void;
  /** It must not be used any more; `rest` was not begun. With a reason: it never answered at all, and a new one would not either. */
  ended(rest: ExtractTask[], reason: string | null): void;
}

/**
 * Starts a thread, without what the process was started with (a test runner's loaders, say). It keeps the process alive only while
 * it has something to read.
 */
export function createExtractThread(script: URL, events: ThreadEvents): ExtractThread {
  const worker = new Worker(script, { execArgv: [] });
  const tasks: ExtractTask[] = [];
  let hasAnswered = false;
  let isEnded = false;
  let timer: NodeJS.Timeout | null = null;

  function watch(limitMs: number): void {
    if (timer) clearTimeout(timer);
    timer = null;
    const [head] = tasks;
    if (!head) {
      worker.unref();
      return;
    }
    worker.ref();
    const reason = `took longer than ${SILENCE_MS} ms, and its thread was stopped`;
    const look = () => {
      if (!isEnded && tasks[0] === head) breakOn({ kind: "broken", reason, isPassing: true });
    };
    // An answer may lie unread while the process was busy itself.
    timer = setTimeout(() => setImmediate(look), limitMs);
  }

  function stop(): ExtractTask[] {
    isEnded = true;
    if (timer) clearTimeout(timer);
    return tasks.splice(0);
  }

  function breakOn(answer: ExtractAnswer): void {
    const [first, ...rest] = stop();
    void worker.terminate();
    first?.resolve(answer);
    events.ended(rest, null);
  }

  function died(reason: string): void {
    if (isEnded) return;
    if (!hasAnswered) events.ended(stop(), reason);
    else breakOn({ kind: "broken", reason: `the thread that read it died: ${reason}`, isPassing: true });
  }

  worker.on("message", (message: WorkerMessage) => {
    if (isEnded) return;
    hasAnswered = true;
    if (message.kind === "loading") watch(LOADING_MS);
    else if (message.kind === "broken") breakOn(message);
    else {
      tasks.shift()?.resolve(message);
      watch(SILENCE_MS);
      events.answered();
    }
  });
  worker.on("error", (error) => died(messageOf(error)));
  worker.on("exit", (code) => died(`it ended with code ${code}`));

  return {
    give: (task) => {
      tasks.push(task);
      worker.postMessage(task.job, []);
      if (tasks.length === 1) watch(hasAnswered ? SILENCE_MS : LOADING_MS);
    },
    waiting: () => tasks.length,
    end: () => {
      const rest = stop();
      return worker.terminate().then(() => rest);
    },
  };
}
