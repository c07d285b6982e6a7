import { type PlannedTask, formatTasks } from "../../requirements/index.js";
import { headline, setRow, show } from "../board.js";
import { callAgent } from "../call-agent.js";
import { type Halt, haltOf } from "../ends.js";
import { knowledgePrompt } from "../experience.js";
import { TaskReport } from "../outputs.js";
import { advance, commitAndPush, isBeyond } from "../state.js";
import type { Run } from "../types.js";
import { addWish } from "./wish.js";
import { folderOf } from "./requirement.js";

/** implementation-executor does the plan's tasks one by one; each ends as one commit that also ticks it in `tasks.md`. */
export async function implement(run: Run, signal: AbortSignal): Promise<Halt | null> {
  if (isBeyond(run, "implement")) {
    setRow(run.board, "implement", "done", taskCount(run));
    return null;
  }
  await advance(run, "implementing");
  addWish(run);
  setRow(run.board, "implement", "active", "");
  for (const task of run.tasks) {
    if (task.done) continue;
    const halt = await doTask(run, task, signal);
    if (halt) return halt;
  }
  setRow(run.board, "implement", "done", taskCount(run));
  return null;
}

async function doTask(run: Run, task: PlannedTask, signal: AbortSignal): Promise<Halt | null> {
  mark(run, task, "active");
  await show(run, { headline: `${headline("implement", run.language)} · ${taskCount(run)}` });
  const end = await callAgent(
    run,
    {
      agent: "implementation-executor",
      phase: "implement",
      task: task.id,
      text: taskText(run, task),
      output: TaskReport,
    },
    signal,
  );
  const halt = haltOf(`${task.id} ${task.title}`, end);
  if (halt || !end.output) {
    mark(run, task, halt?.state === "paused" ? "paused" : "failed");
    return halt;
  }
  task.done = true;
  task.evidence = [...task.evidence, ...end.output.evidence];
  await saveTasks(run);
  mark(run, task, "done");
  return commitAndPush(run, `${task.id}: ${task.title}`, signal);
}

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

function mark(run: Run, task: PlannedTask, state: Run["board"]["tasks"][number]["mark"]): void {
  run.board.tasks = run.board.tasks.map((shown) =>
    shown.id === task.id ? { ...shown, mark: state } : shown,
  );
}

function taskCount(run: Run): string {
  const done = run.tasks.filter((task) => task.done).length;
  return run.language === "zh"
    ? `${done}/${run.tasks.length} 个任务完成`
    : `${done} of ${run.tasks.length} tasks done`;
}

function taskText(run: Run, task: PlannedTask): string {
  const details = [
    `${task.id}: ${task.title} (${task.kind})`,
    task.criteria.length > 0 ? `Criteria: ${task.criteria.join(", ")}` : "",
    task.files.length > 0 ? `Files: ${task.files.join(", ")}` : "",
  ].filter(Boolean);
  return run.deps.skills.prompt("task-implement", {
    task: task.id,
    requirement: run.requirement,
    repository: `${run.ask.repository.owner}/${run.ask.repository.name}`,
    details: details.join("\n"),
    document: run.documents.requirement,
    design: run.documents.design,
    knowledge: knowledgePrompt(run, "implement", {
      text: `${run.title}\n${run.text}\n${run.documents.design}`,
      paths: task.files,
    }),
    done:
      run.tasks
        .filter(({ done }) => done)
        .map(({ id, title }) => `${id} ${title}`)
        .join("; ") || "none",
    checks: run.baseline?.checks.map(({ command }) => `\`${command}\``).join(", ") || "none were found",
  });
}
