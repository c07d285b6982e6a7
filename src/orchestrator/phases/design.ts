import { formatDesign, formatTasks, parseTasks } from "../../requirements/index.js";
import { estimateTokens, sha256 } from "../../shared/index.js";
import { headline, setRow, show } from "../board.js";
import { type AgentCall, callAgent } from "../call-agent.js";
import { showCode } from "../code.js";
import { type Halt, haltOf } from "../ends.js";
import { type PhaseExperience, knowledgeFor } from "../experience.js";
import { asMaterial } from "../material.js";
import { type Design, DesignOutput } from "../outputs.js";
import { checkPlan, expandPlan } from "../plan.js";
import { advance, commitAndPush, isBeyond, stateOf } from "../state.js";
import { earlierSolutions } from "../trackers.js";
import type { Run } from "../types.js";
import { investigate } from "./investigate.js";
import { folderOf } from "./requirement.js";

const OVERVIEW_TOKENS = 1000;

/** design-manager looks at what exists, decides, and cuts the tasks: `design.md` and `tasks.md`. */
export async function writeDesign(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const { files } = run.workspace;
  if (await adoptDesign(run)) return null;
  setRow(run.board, "design", "active", "");
  await show(run, { headline: headline("design", run.language) }, true);

  const output = DesignOutput.superRefine((value, context) => {
    for (const problem of checkPlan(value.tasks, run.draft?.criteria.length ?? 1))
      context.addIssue({ code: "custom", path: ["tasks"], message: problem });
  });
  const query = { text: `${run.title}\n${run.text}\n${run.documents.requirement}` };
  const experience = await knowledgeFor(run, "design", query, signal);
  const archaeology = await investigate(run, experience, signal);
  const message = await messageOf(run, { experience, archaeology }, signal);
  const end = await callAgent(
    run,
    { agent: "design-manager", phase: "design", task: "design", ...message, output },
    signal,
  );
  const halt = haltOf("design-manager", end);
  if (halt || !end.output) return halt;
  const found = [...archaeology, ...end.output.archaeology];
  const documents = documentsOf(run, { ...end.output, archaeology: found });
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
      tasks: expandPlan(design.tasks, { testFirst: run.settings.agent.test_first }),
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

/** First paragraph of the summary. */
function summaryOf(design: string): string {
  return /^## (?:Summary|摘要)\n+([\s\S]*?)(?:\n\s*\n|$)/m.exec(design)?.[1]?.trim() ?? "";
}

/** What investigators found out, for the designer: read by others already, and checked only where it matters. */
function archaeologyText(archaeology: Design["archaeology"]): string {
  if (archaeology.length === 0) return "";
  const answers = archaeology.map(
    ({ question, answer, pointers }) =>
      `${question}\n${asMaterial(answer)}\n${pointers.map(asMaterial).join("\n")}`,
  );
  return `<archaeology>\n${answers.join("\n\n")}\n</archaeology>`;
}

async function messageOf(
  run: Run,
  { experience, archaeology }: { experience: PhaseExperience } & Pick<Design, "archaeology">,
  signal: AbortSignal,
): Promise<Pick<AgentCall<unknown>, "text" | "code">> {
  const { reason = "" } = run.baseline ?? {};
  const solutions = await earlierSolutions(run, signal);
  const code = await showCode(
    run,
    {
      task: `${run.title}\n${run.text}`,
      share: 1,
      experience,
      phase: "design",
      taken: estimateTokens(solutions) + OVERVIEW_TOKENS,
    },
    signal,
  );
  const text = run.skills.prompt("task-design", {
    repository: `${run.ask.repository.owner}/${run.ask.repository.name}`,
    document: asMaterial(run.documents.requirement),
    knowledge: [code.knowledge, solutions].filter(Boolean).join("\n\n"),
    archaeology: archaeologyText(archaeology),
    overview: asMaterial(run.code.map.overview(OVERVIEW_TOKENS)),
    code: code.text,
    checks: run.baseline?.checks.map(({ command }) => `\`${command}\``).join(", ") || reason,
  });
  return { text, code };
}
