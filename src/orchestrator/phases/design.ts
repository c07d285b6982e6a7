import { outlineFiles } from "../../codemap/index.js";
import { formatDesign, formatTasks, parseTasks } from "../../requirements/index.js";
import { sha256 } from "../../shared/index.js";
import { headline, setRow, show } from "../board.js";
import { callAgent } from "../call-agent.js";
import { type Halt, haltOf } from "../ends.js";
import { codeFiles, knowledgePrompt } from "../experience.js";
import { asMaterial } from "../material.js";
import { type Design, DesignOutput } from "../outputs.js";
import { checkPlan, orderTasks } from "../plan.js";
import { advance, commitAndPush, isBeyond, stateOf } from "../state.js";
import { earlierSolutions } from "../trackers.js";
import type { Run } from "../types.js";
import { folderOf } from "./requirement.js";

const OUTLINE_TOKENS = 2000;

/** design-manager looks at what exists, decides, and cuts the tasks: `design.md` and `tasks.md`. */
export async function writeDesign(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const { files } = run.workspace;
  if (await adoptDesign(run)) return null;
  setRow(run.board, "design", "active", "");
  await show(run, { headline: headline("design", run.language) }, true);

  const output = DesignOutput.superRefine((value, context) => {
    for (const problem of checkPlan(value.tasks))
      context.addIssue({ code: "custom", path: ["tasks"], message: problem });
  });
  const end = await callAgent(
    run,
    { agent: "design-manager", phase: "design", task: "design", text: await taskText(run, signal), output },
    signal,
  );
  const halt = haltOf("design-manager", end);
  if (halt || !end.output) return halt;
  const documents = documentsOf(run, end.output);
  await files.write(`${folderOf(run)}/design.md`, documents.design);
  await files.write(`${folderOf(run)}/tasks.md`, documents.tasks);
  await advance(run, "designed", `design.md sha256:${sha256(documents.design)}`);
  adopt(run, documents.design, documents.tasks);
  return commitAndPush(run, `${run.requirement}: write the design`, signal);
}

/** Takes `design.md` and `tasks.md` over from an earlier run, if one got so far. */
export async function adoptDesign(run: Run): Promise<boolean> {
  const { files } = run.workspace;
  const [design, tasks] = await Promise.all([
    files.read(`${folderOf(run)}/design.md`),
    files.read(`${folderOf(run)}/tasks.md`),
  ]);
  if (!design || !tasks || !(isBeyond(run, "requirement") || stateOf(run) === "designed")) return false;
  adopt(run, design.toString("utf8"), tasks.toString("utf8"));
  return true;
}

function documentsOf(run: Run, design: Design): { design: string; tasks: string } {
  const heading = { id: run.requirement, title: run.draft?.title ?? run.title, language: run.language };
  return {
    design: formatDesign({ ...heading, ...design }),
    tasks: formatTasks({
      ...heading,
      tasks: orderTasks(design.tasks).map((task) => ({ ...task, done: false, evidence: [] })),
    }),
  };
}

function adopt(run: Run, design: string, tasks: string): void {
  run.tasks = parseTasks(tasks);
  run.documents.design = design;
  run.documents.summary = summaryOf(design);
  run.board.tasks = run.tasks.map(({ id, title, done }) => ({ id, title, mark: done ? "done" : "waiting" }));
  const count = run.tasks.length;
  const steps = run.language === "zh" ? `${count} 个任务` : `${count} ${count === 1 ? "task" : "tasks"}`;
  setRow(run.board, "design", "done", `[design.md](${folderOf(run)}/design.md) · ${steps}`);
}

/** First paragraph below the first second-level heading: the summary. */
function summaryOf(design: string): string {
  return /^## .*\n+([\s\S]*?)(?:\n\s*\n|$)/m.exec(design)?.[1]?.trim() ?? "";
}

async function taskText(run: Run, signal: AbortSignal): Promise<string> {
  const { reason = "" } = run.baseline ?? {};
  return run.skills.prompt("task-design", {
    repository: `${run.ask.repository.owner}/${run.ask.repository.name}`,
    document: asMaterial(run.documents.requirement),
    knowledge: [
      knowledgePrompt(run, "design", { text: `${run.title}\n${run.text}\n${run.documents.requirement}` }),
      await earlierSolutions(run, signal),
    ]
      .filter(Boolean)
      .join("\n\n"),
    outline: outlineFiles(await codeFiles(run), OUTLINE_TOKENS),
    checks: run.baseline?.checks.map(({ command }) => `\`${command}\``).join(", ") || reason,
  });
}
