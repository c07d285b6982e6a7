import type { PlannedTask } from "../requirements/index.js";
import { linkSignals } from "../shared/index.js";
import type { Halt } from "./ends.js";
import { readyTasks } from "./plan.js";

/** How the tasks of a plan are done. */
export interface Schedule {
  /** The plan as it stands; a task that is done says so. */
  tasks: readonly PlannedTask[];
  atOnce: number;
  /** Does one task. `isAlone`: nothing else goes on until it ends. A task without a halt must be done afterwards. */
  work(task: PlannedTask, isAlone: boolean, signal: AbortSignal): Promise<Halt | null>;
}

/**
 * Does the tasks of a plan as they become ready, independent ones at the same time. After the first halt nothing new begins, and
 * what has begun is brought to its end. Contract: rejects with the first error, once everything that ran has ended.
 */
export async function schedule(plan: Schedule, signal: AbortSignal): Promise<Halt | null> {
  const all = new AbortController();
  const linked = linkSignals([signal, all.signal]);
  const running = new Map<string, Promise<void>>();
  const halts: Halt[] = [];
  const errors: unknown[] = [];
  const start = (task: PlannedTask, isAlone: boolean) => {
    const work = plan
      .work(task, isAlone, linked.signal)
      .then((halt) => void (halt && halts.push(halt)))
      .catch((error: unknown) => {
        errors.push(error);
        all.abort(error);
      })
      .finally(() => running.delete(task.id));
    running.set(task.id, work);
  };
  try {
    for (;;) {
      const isOver = halts.length > 0 || errors.length > 0;
      const ready = isOver ? [] : readyTasks(plan.tasks).filter(({ id }) => !running.has(id));
      const next = ready.slice(0, plan.atOnce - running.size);
      for (const task of next) start(task, running.size === 0 && (ready.length === 1 || plan.atOnce === 1));
      if (running.size === 0) break;
      await Promise.race(running.values());
    }
  } finally {
    linked.release();
  }
  if (errors.length > 0) throw errors[0];
  return halts[0] ?? null;
}
