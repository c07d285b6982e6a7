import { type PlannedTask, formatTasks } from "../requirements/index.js";
import { folderOf } from "./folder-of.js";
import type { Run } from "./types.js";

/** Writes `tasks.md` as the run knows it. */
export async function saveTasks(run: Run): Promise<void> {
  const document = formatTasks({
    id: run.requirement,
    title: run.draft?.title ?? run.title,
    language: run.language,
    tasks: run.tasks,
  });
  await run.workspace.files.write(`${folderOf(run)}/tasks.md`, document);
}

/** Adds a task that came up after the plan was made, behind all others. */
export function addTask(run: Run, task: Pick<PlannedTask, "title" | "after" | "service">): void {
  const last = Math.max(0, ...run.tasks.map(({ id }) => Number(id.slice(1))));
  const id = `T${last + 1}`;
  run.tasks.push({ ...task, id, kind: "feature", criteria: [], files: [], done: false, evidence: [] });
  run.board.tasks.push({ id, title: task.title, mark: "waiting" });
}

/** How far the plan is, in words. */
export function taskCount({ tasks, language }: Run): string {
  const done = tasks.filter((task) => task.done).length;
  return language === "zh" ? `${done}/${tasks.length} 个任务完成` : `${done} of ${tasks.length} tasks done`;
}

/** The paths that a task names, those in a service's repository with its name before them. */
export function pathsOf({ service, files }: Pick<PlannedTask, "service" | "files">): string[] {
  return service ? files.map((path) => `${service}: ${path}`) : files;
}
