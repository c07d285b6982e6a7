import {
  formatDesign,
  formatTasks,
  lastUnderstood,
  parseTasks,
  type PlannedTask,
  type State,
} from "../../requirements/index.js";
import { estimateTokens, sha256 } from "../../shared/index.js";
import { headline, setRow, show } from "../board.js";
import { type AgentCall, callAgent } from "../call-agent.js";
import { showCode } from "../code.js";
import { type Halt, haltOf } from "../ends.js";
import { type PhaseExperience, knowledgeFor } from "../experience.js";
import { folderOf } from "../folder-of.js";
import { lostDocument } from "../lost-document.js";
import { asMaterial } from "../material.js";
import { type Design, DesignOutput } from "../outputs.js";
import { checkPlan, expandPlan } from "../plan.js";
import { planBehind } from "../revision.js";
import { glanceAtServices } from "../glance-services.js";
import { servicesText } from "../services.js";
import { advance, commitAndPush, isBeyond, stateOf } from "../state.js";
import { earlierSolutions } from "../trackers.js";
import type { Run } from "../types.js";
import { investigate } from "./investigate.js";

const OVERVIEW_TOKENS = 1000;
/** States in which there is a design, though the next step is another look at it. */
const ADOPTED: readonly (State | null)[] = ["designed", "changed"];

/** design-manager looks at what exists, decides, and cuts the tasks: `design.md` and `tasks.md`. */
export async function writeDesign(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const { files } = run.workspace;
  if (await adoptDesign(run)) return null;
  if (isBeyond(run, "design")) return lostDocument(run, ["design.md", "tasks.md"]);
  const earlier = await earlierPlan(run);
  setRow(run.board, "design", "active", "");
  await show(run, { headline: headline("design", run.language) }, true);

  const output = DesignOutput.superRefine((value, context) => {
    const problems = [
      ...checkPlan(value.tasks, run.draft?.criteria.length ?? 1, run.settings.services),
      ...unserved(run, earlier.tasks, value.tasks),
    ];
    for (const problem of problems) context.addIssue({ code: "custom", path: ["tasks"], message: problem });
  });
  const query = { text: `${run.title}\n${run.text}\n${run.documents.requirement}` };
  const experience = await knowledgeFor(run, "design", query, signal);
  const archaeology = await investigate(run, experience, signal);
  const message = await messageOf(run, { experience, archaeology, earlier }, signal);
  const end = await callAgent(
    run,
    {
      agent: "design-manager",
      phase: "design",
      task: "design",
      ...(earlier.design === "" ? {} : { instead: { "design-create": "design-change" } }),
      ...message,
      output,
    },
    signal,
  );
  const halt = haltOf("design-manager", end);
  if (halt || !end.output) return halt;
  const found = [...archaeology, ...end.output.archaeology];
  const documents = documentsOf(run, { ...end.output, archaeology: found }, earlier.tasks);
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
  const isWritten = isBeyond(run, "requirement") || ADOPTED.includes(stateOf(run));
  if (!design || !tasks || !isWritten) return false;
  adopt(run, design.toString("utf8"), tasks.toString("utf8"));
  return true;
}

/** The design and the plan as they were before what is wanted changed; empty the first time. */
async function earlierPlan(run: Run): Promise<Known["earlier"]> {
  const read = async (name: string) =>
    (await run.workspace.files.read(`${folderOf(run)}/${name}`))?.toString("utf8") ?? "";
  return { design: await read("design.md"), tasks: parseTasks(await read("tasks.md")) };
}

/** Where work was done already, what changed since has to be served by a new task. */
function unserved(
  { events, draft }: Run,
  earlier: readonly PlannedTask[],
  tasks: readonly { criteria: string[]; accompanying: readonly { criteria: string[] }[] }[],
): string[] {
  if (!earlier.some(({ done }) => done)) return [];
  const served = tasks.flatMap(({ criteria, accompanying }) => [
    ...criteria,
    ...accompanying.flatMap((part) => part.criteria),
  ]);
  const there = (draft?.criteria ?? []).map(({ id }) => id);
  return (lastUnderstood(events)?.touched ?? [])
    .filter((id) => there.includes(id) && !served.includes(id))
    .map((id) => `${id} was changed after the tasks that are done: no new task serves it`);
}

/** What a designer is told of the design that there was. */
function earlierText({ design, tasks }: Known["earlier"]): string {
  if (design === "") return "";
  const done = tasks.filter((task) => task.done || task.kind === "external");
  const list = done.map(({ id, title, criteria }) => `- ${id} [${criteria.join(", ")}] ${asMaterial(title)}`);
  const kept =
    list.length > 0
      ? `\n\nThese tasks stay as they are, and what they did is in the code. Plan only what is left, with ids from T1 on:\n${list.join("\n")}`
      : "";
  return `The design before what is wanted changed. Keep what still holds:\n\n<design>\n${asMaterial(design)}\n</design>${kept}`;
}

function documentsOf(
  run: Run,
  design: Design,
  earlier: readonly PlannedTask[],
): { design: string; tasks: string } {
  const heading = { id: run.requirement, title: run.draft?.title ?? run.title, language: run.language };
  return {
    design: formatDesign({ ...heading, ...design }),
    tasks: formatTasks({
      ...heading,
      tasks: planBehind(earlier, expandPlan(design.tasks, { testFirst: run.settings.agent.test_first })),
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

/** What is known before a design begins. */
interface Known extends Pick<Design, "archaeology"> {
  experience: PhaseExperience;
  earlier: { design: string; tasks: PlannedTask[] };
}

async function messageOf(
  run: Run,
  { experience, archaeology, earlier }: Known,
  signal: AbortSignal,
): Promise<Pick<AgentCall<unknown>, "text" | "code">> {
  const { reason = "" } = run.baseline ?? {};
  const solutions = await earlierSolutions(run, signal);
  const services = [servicesText(run), await glanceAtServices(run, signal)].filter(Boolean).join("\n\n");
  const code = await showCode(
    run,
    {
      task: `${run.title}\n${run.text}`,
      share: 1,
      experience,
      phase: "design",
      taken: estimateTokens(solutions) + estimateTokens(services) + OVERVIEW_TOKENS,
    },
    signal,
  );
  const text = run.skills.prompt("task-design", {
    repository: `${run.ask.repository.owner}/${run.ask.repository.name}`,
    document: asMaterial(run.documents.requirement),
    knowledge: [code.knowledge, solutions].filter(Boolean).join("\n\n"),
    archaeology: archaeologyText(archaeology),
    earlier: earlierText(earlier),
    services,
    overview: asMaterial(run.code.map.overview(OVERVIEW_TOKENS)),
    code: code.text,
    checks: run.baseline?.checks.map(({ command }) => `\`${command}\``).join(", ") || reason,
  });
  return { text, code };
}
