import { type PlannedTask, formatTasks } from "../../requirements/index.js";
import { inertSubject } from "../../shared/index.js";
import { headline, setRow, show } from "../board.js";
import { type AgentCall, callAgent } from "../call-agent.js";
import { showCode } from "../code.js";
import { type Halt, haltOf } from "../ends.js";
import { knowledgeFor } from "../experience.js";
import { asMaterial } from "../material.js";
import { TaskReport } from "../outputs.js";
import { advance, commitAndPush, isBeyond } from "../state.js";
import type { Run } from "../types.js";
import { folderOf } from "./requirement.js";
import { earlierWishes, wishOf } from "./wish.js";

/** The plan names the files of a task; what it is shown is paid again in each of its turns. */
const CODE_SHARE = 0.5;

/** implementation-executor does the plan's tasks one by one; each ends as one commit that also ticks it in `tasks.md`. */
export async function implement(run: Run, signal: AbortSignal): Promise<Halt | null> {
  if (isBeyond(run, "implement")) {
    setRow(run.board, "implement", "done", taskCount(run));
    return null;
  }
  await advance(run, "implementing");
  await addWish(run);
  setRow(run.board, "implement", "active", "");
  for (const task of run.tasks) {
    if (task.done) continue;
    const halt = await doTask(run, task, signal);
    if (halt) return halt;
  }
  setRow(run.board, "implement", "done", taskCount(run));
  return null;
}

/** Puts the wish behind the plan as one more task, once. What the requirement was written with is no task of its own. */
async function addWish(run: Run): Promise<void> {
  const wish = wishOf(run);
  const isUnderstood = run.events.some(
    (event) => event.type === "state" && event.run === run.id && event.to === "clarified",
  );
  if (!wish || isUnderstood || run.tasks.length === 0 || run.tasks.some(({ title }) => title === wish.title))
    return;
  const last = Math.max(...run.tasks.map(({ id }) => Number(id.slice(1))));
  const task = {
    id: `T${last + 1}`,
    title: wish.title,
    kind: "feature" as const,
    criteria: [],
    files: [],
    after: [],
    done: false,
    evidence: [],
  };
  run.tasks.push(task);
  run.board.tasks.push({ id: task.id, title: task.title, mark: "waiting" });
  await saveTasks(run);
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
      ...(await messageOf(run, task, signal)),
      output: TaskReport,
      kind: task.kind,
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
  return commitAndPush(run, `${task.id}: ${inertSubject(task.title)}`, signal);
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

/** How far the plan is, in words. */
export function taskCount(run: Run): string {
  const done = run.tasks.filter((task) => task.done).length;
  return run.language === "zh"
    ? `${done}/${run.tasks.length} 个任务完成`
    : `${done} of ${run.tasks.length} tasks done`;
}

/** The whole wish that a task came of: its title holds one line only. */
function wishBehind(run: Run, task: PlannedTask): string {
  const wish = [wishOf(run), ...earlierWishes(run)].find((candidate) => candidate?.title === task.title);
  if (!wish) return "";
  const brought = wish.title === wishOf(run)?.title ? run.brought : "";
  const whole = wish.text === task.title ? "" : `Asked for in these words:\n${wish.text}`;
  return [whole, brought].filter(Boolean).join("\n\n");
}

async function messageOf(
  run: Run,
  task: PlannedTask,
  signal: AbortSignal,
): Promise<Pick<AgentCall<unknown>, "text" | "code">> {
  const details = [
    `${task.id}: ${task.title} (${task.kind})`,
    task.criteria.length > 0 ? `Criteria: ${task.criteria.join(", ")}` : "",
    task.files.length > 0 ? `Files: ${task.files.join(", ")}` : "",
    wishBehind(run, task),
  ].filter(Boolean);
  const query = { text: `${run.title}\n${run.text}\n${run.documents.design}`, paths: task.files };
  const experience = await knowledgeFor(run, "implement", query, signal);
  const code = await showCode(
    run,
    {
      task: details.join("\n"),
      files: task.files,
      share: CODE_SHARE,
      experience,
      phase: "implement",
      taken: 0,
    },
    signal,
  );
  const text = run.skills.prompt("task-implement", {
    task: task.id,
    requirement: run.requirement,
    repository: `${run.ask.repository.owner}/${run.ask.repository.name}`,
    details: details.join("\n"),
    document: asMaterial(run.documents.requirement),
    design: asMaterial(run.documents.design),
    knowledge: code.knowledge,
    code: code.text,
    done:
      run.tasks
        .filter(({ done }) => done)
        .map(({ id, title }) => `${id} ${title}`)
        .join("; ") || "none",
    checks: run.baseline?.checks.map(({ command }) => `\`${command}\``).join(", ") || "none were found",
  });
  return { text, code };
}
