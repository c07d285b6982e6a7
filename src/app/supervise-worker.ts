import type { ChildProcess } from "node:child_process";
import type { Clock } from "../shared/index.js";

/** What keeps a worker process alive. */
export interface SuperviseDeps {
  start(): ChildProcess;
  /** Told each process id, so that whoever supervises the server knows all of it. */
  started(pid: number): void;
  clock: Clock;
  log: { info(fields: object, message: string): void; error(fields: object, message: string): void };
}

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 30_000;
const STABLE_MS = 60_000;
const STOP_MS = 60_000;

/** Runs the worker process beside the listener: wakes it on news, starts it again when it dies, and stops it in order. */
export function superviseWorker(deps: SuperviseDeps): { wake(): void; close(): Promise<void> } {
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | null = null;
  let pauseMs = FIRST_PAUSE_MS;
  let isClosing = false;

  function start(): void {
    timer = null;
    const startedMs = deps.clock.now();
    child = deps.start();
    if (child.pid !== undefined) deps.started(child.pid);
    child.once("exit", (code, killedBy) => {
      child = null;
      if (isClosing) return;
      if (deps.clock.now() - startedMs > STABLE_MS) pauseMs = FIRST_PAUSE_MS;
      deps.log.error({ code, killedBy, pauseMs }, "the worker ended and is started again");
      timer = setTimeout(start, pauseMs);
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    });
  }
  start();

  return {
    wake: () => {
      // A worker that dies this moment takes no message, and its successor looks for work by itself.
      if (child?.connected) child.send("wake", () => {});
    },
    close: async () => {
      isClosing = true;
      if (timer) clearTimeout(timer);
      const last = child;
      if (!last) return;
      const ended = new Promise<void>((resolve) => {
        last.once("exit", () => resolve());
      });
      last.kill("SIGTERM");
      const kill = setTimeout(() => last.kill("SIGKILL"), STOP_MS);
      await ended;
      clearTimeout(kill);
    },
  };
}
