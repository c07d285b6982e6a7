import { createTurns } from "../../shared/index.js";
import { setRow } from "../board.js";
import type { Halt } from "../ends.js";
import { openExternals } from "../plan.js";
import { schedule } from "../schedule.js";
import { advance, commitAndPush, isBeyond } from "../state.js";
import type { Run } from "../types.js";
import { addTask, saveTasks, taskCount } from "../task-file.js";
import { doTask } from "./do-task.js";
import { waitingFor } from "./externals.js";
import { wishOf } from "./wish.js";

/** Puts the wish behind the plan as one more task, once. What the requirement was written or changed with is no task of its own. */
export async function addWish(run: Run): Promise<void> {
  const wish = wishOf(run);
  const isUnderstood = run.events.some((event) => event.run === run.id && event.type === "understood");
  if (!wish || isUnderstood || run.tasks.length === 0 || run.tasks.some(({ title }) => title === wish.title))
    return;
  addTask(run, { title: wish.title, after: [] });
  await saveTasks(run);
}

/**
 * implementation-executor does the plan's tasks, independent ones side by side; each ends as one commit that also ticks it in
 * `tasks.md`. What waits for somebody else stops only what depends on it.
 */
export async function implement(run: Run, signal: AbortSignal): Promise<Halt | null> {
  if (isBeyond(run, "implement")) {
    setRow(run.board, "implement", "done", taskCount(run));
    return null;
  }
  await advance(run, "implementing");
  await addWish(run);
  setRow(run.board, "implement", "active", "");
  await run.front.showParts(run);
  const inTurn = createTurns();
  const halt = await schedule(
    {
      tasks: run.tasks,
      atOnce: run.settings.agent.parallel_tasks,
      work: (task, isAlone, each) => doTask(run, task, { isAlone, inTurn }, each),
    },
    signal,
  );
  if (halt) return halt;
  const pushed = await commitAndPush(run, `${run.requirement}: the tasks so far`, signal);
  if (pushed) return pushed;
  const left = run.tasks.filter(({ done, kind }) => !done && kind !== "external");
  if (left.length > 0) return waitingFor(run, openExternals(run.tasks), left);
  setRow(run.board, "implement", "done", taskCount(run));
  return null;
}
