import type { AgentEnd } from "../../agent/index.js";
import type { PlannedTask } from "../../requirements/index.js";
import { type InTurn, inertSubject } from "../../shared/index.js";
import type { Fork } from "../../workspace/index.js";
import { headline, show } from "../board.js";
import { type AgentCall, callAgent, noteWork } from "../call-agent.js";
import { forkMap, isBook, showCode } from "../code.js";
import { commitAt } from "../commit-service.js";
import { type Halt, haltOf } from "../ends.js";
import { knowledgeFor } from "../experience.js";
import { asMaterial } from "../material.js";
import { TaskReport } from "../outputs.js";
import { isOfChange } from "../revision.js";
import { commitStep } from "../state.js";
import { type Site, fullName, siteOf } from "../site.js";
import { saveTasks, taskCount } from "../task-file.js";
import type { Run } from "../types.js";
import { proofLine } from "../service-commits.js";
import { openMocks } from "./externals.js";
import { earlierWishes, wishOf } from "./wish.js";

/** The plan names the files of a task; what it is shown is paid again in each of its turns. */
const CODE_SHARE = 0.5;
/** A task whose result did not fit beside what others did is done again on the merged state, so many times. */
const MAX_REDONE = 2;

/** How a task is done among others. */
export interface TaskPlace {
  /** Nothing else goes on: it may work in the run's own checkout. */
  isAlone: boolean;
  /** The checkout is touched by one task at a time. */
  inTurn: InTurn;
}

/** Does one task of the plan: in the checkout where it is alone, else in a copy whose result is merged. Ends as one commit. */
export async function doTask(
  run: Run,
  task: PlannedTask,
  place: TaskPlace,
  signal: AbortSignal,
): Promise<Halt | null> {
  mark(run, task, "active");
  await show(run, { headline: `${headline("implement", run.language)} · ${taskCount(run)}` });
  const halt = place.isAlone
    ? await doHere(run, task, place, signal)
    : await doBeside(run, task, place, signal);
  if (halt) mark(run, task, halt.state === "paused" ? "paused" : "failed");
  return halt;
}

async function doHere(
  run: Run,
  task: PlannedTask,
  { inTurn }: TaskPlace,
  signal: AbortSignal,
): Promise<Halt | null> {
  const end = await callAgent(run, await callOf(run, task, "", signal), signal);
  return haltOf(nameOf(task), end) ?? inTurn(() => finish(run, task, end, signal));
}

/** A conflict with what another task did meanwhile sends the later one back, onto the merged state. */
async function doBeside(
  run: Run,
  task: PlannedTask,
  { inTurn }: TaskPlace,
  signal: AbortSignal,
): Promise<Halt | null> {
  const site = siteOf(run, task);
  let conflict = "";
  for (let redone = 0; redone <= MAX_REDONE; redone += 1) {
    const { call, fork } = await inTurn(() => begin(run, task, { site, conflict }, signal));
    const code = forkMap(run.deps, site, fork);
    try {
      const place = { ...fork, site, map: code.map, fork: site.workspace.fork };
      const end = await callAgent(run, { ...call, place }, signal);
      const halt = haltOf(nameOf(task), end);
      if (halt) return halt;
      const sealed = await fork.seal();
      const merged = await inTurn(async () => {
        const adopted = await sealed.adopt();
        if (adopted.kind === "conflict") return adopted.message;
        noteWork(
          site,
          end,
          adopted.changes.map(({ path }) => path).filter((path) => !isBook(path)),
        );
        return finish(run, task, end, signal);
      });
      if (typeof merged !== "string") return merged;
      conflict = merged;
    } finally {
      await code.close();
      await fork.close();
    }
  }
  const reason = `${nameOf(task)} conflicts with what was done beside it: ${conflict}`;
  return { state: "failed", outcome: "failed", reason };
}

/** Message and copy are made at the same time; the copy is not left behind where the message fails. */
async function begin(
  run: Run,
  task: PlannedTask,
  { site, conflict }: { site: Site; conflict: string },
  signal: AbortSignal,
): Promise<{ call: AgentCall<TaskReport>; fork: Fork }> {
  const name = `task-${task.id.toLowerCase()}`;
  const [call, fork] = await Promise.allSettled([
    callOf(run, task, conflict, signal),
    site.workspace.fork(name, signal),
  ]);
  if (fork.status === "rejected") throw fork.reason;
  if (call.status === "fulfilled") return { call: call.value, fork: fork.value };
  await fork.value.close();
  throw call.reason;
}

async function finish(
  run: Run,
  task: PlannedTask,
  { output }: AgentEnd<TaskReport>,
  signal: AbortSignal,
): Promise<Halt | null> {
  const evidence = output?.evidence ?? [];
  const subject = `${task.id}: ${inertSubject(task.title)}`;
  const site = siteOf(run, task);
  const halt = site === run ? null : await commitAt(run, site, messageOf(subject, evidence), signal);
  if (halt) return halt;
  task.done = true;
  task.evidence = [...task.evidence, ...evidence];
  await saveTasks(run);
  mark(run, task, "done");
  return commitStep(run, subject, signal);
}

/** What a service's commit says: also which tests show what, so that nothing is lost before the plan is ticked. */
function messageOf(subject: string, evidence: TaskReport["evidence"]): string {
  return [subject, evidence.map(proofLine).join("\n")].filter(Boolean).join("\n\n");
}

function nameOf({ id, title }: PlannedTask): string {
  return `${id} ${title}`;
}

function mark(run: Run, task: PlannedTask, state: Run["board"]["tasks"][number]["mark"]): void {
  run.board.tasks = run.board.tasks.map((shown) =>
    shown.id === task.id ? { ...shown, mark: state } : shown,
  );
}

/** The whole wish that a task came of: its title holds one line only. */
function wishBehind(run: Run, task: PlannedTask): string {
  const own = wishOf(run);
  const wish = isOfChange(task)
    ? own
    : [own, ...earlierWishes(run)].find((candidate) => candidate?.title === task.title);
  if (!wish) return "";
  const brought = wish.title === own?.title ? run.brought : "";
  const whole = wish.text === task.title ? "" : `Asked for in these words:\n${wish.text}`;
  return [whole, brought].filter(Boolean).join("\n\n");
}

/** What a task needs to know besides what it is. */
function detailsOf(run: Run, task: PlannedTask, conflict: string): string {
  const mocks = openMocks(run.tasks, task).map(
    ({ id, title, external }) =>
      `${id} "${title}" is not there yet. Use the agreed stand-in (${external?.mock ?? ""}) and mark each place with a comment "MOCK ${id}".`,
  );
  const isBefore =
    task.kind === "test" && run.tasks.some(({ done, after }) => !done && after.includes(task.id));
  return [
    `${task.id}: ${task.title} (${task.kind})`,
    task.criteria.length > 0 ? `Criteria: ${task.criteria.join(", ")}` : "",
    task.files.length > 0 ? `Files: ${task.files.join(", ")}` : "",
    isBefore
      ? "The code comes after these tests: they have to fail now, for the reason that it is missing."
      : "",
    ...mocks,
    conflict &&
      `Done once already, but what others did meanwhile changed the same places, and they keep theirs: ${conflict}`,
    wishBehind(run, task),
  ]
    .filter(Boolean)
    .join("\n");
}

async function callOf(
  run: Run,
  task: PlannedTask,
  conflict: string,
  signal: AbortSignal,
): Promise<AgentCall<TaskReport>> {
  const details = detailsOf(run, task, conflict);
  const site = siteOf(run, task);
  // What is known speaks of the paths of the requirement's own repository.
  const paths = site === run ? task.files : [];
  const query = { text: `${run.title}\n${run.text}\n${run.documents.design}`, paths };
  const experience = await knowledgeFor(run, "implement", query, signal);
  const wish = { task: details, files: task.files, share: CODE_SHARE, experience, site, taken: 0 };
  const code = await showCode(run, { ...wish, phase: "implement" }, signal);
  const named = (which: PlannedTask[]) => which.map(nameOf).join("; ") || "none";
  const text = run.skills.prompt("task-implement", {
    task: task.id,
    requirement: run.requirement,
    repository: fullName(site.repository),
    details,
    document: asMaterial(run.documents.requirement),
    design: asMaterial(run.documents.design),
    knowledge: code.knowledge,
    code: code.text,
    done: named(run.tasks.filter(({ done }) => done)),
    others: named(run.tasks.filter(({ id, done }) => !done && id !== task.id)),
    checks: site.baseline?.checks.map(({ command }) => `\`${command}\``).join(", ") || "none were found",
  });
  return {
    agent: task.kind === "test" ? "test-agent" : "implementation-executor",
    phase: "implement",
    task: task.id,
    site,
    text,
    code,
    output: TaskReport,
    kind: task.kind === "external" ? "feature" : task.kind,
  };
}
