import {
  changedLines,
  conflictsIn,
  lastUnderstood,
  type PlannedTask,
  type RequirementDiff,
  foldState,
} from "../../requirements/index.js";
import { clipEnd, inertLine } from "../../shared/index.js";
import { headline, setRow, show } from "../board.js";
import { type AgentCall, callAgent } from "../call-agent.js";
import { type Halt, haltOf } from "../ends.js";
import { lostCriteria, lostDocument } from "../lost-document.js";
import { knowledgeAlone } from "../experience.js";
import { asMaterial } from "../material.js";
import { RequirementChange } from "../outputs.js";
import { revisePlan } from "../revision.js";
import { reachableServices } from "../services.js";
import { diffWords, saveRequirement, takeOver } from "../save-requirement.js";
import { advance, commitAndPush, isBeyond, isBuilt, stateBefore, stateOf } from "../state.js";
import { addTask, saveTasks } from "../task-file.js";
import type { Run } from "../types.js";
import { isEditedByHand, issueSaid } from "../understanding.js";
import { takeDocument } from "./requirement.js";
import { nothingToDo, pendingChanges, type Wish } from "./wish.js";

const MAX_QUOTE = 120;

/**
 * req-change: what changed since the requirement was understood goes into `requirement.md`, and the plan is fitted to the criteria that
 * it touches. What is done stays done. A requirement that says two things waits for a person.
 */
export async function reviseRequirement(run: Run, signal: AbortSignal): Promise<Halt | null> {
  if (!run.draft) return isLost(run) ? lostDocument(run, ["requirement.md"]) : null;
  const halt = isPending(run) ? await change(run, signal) : await takeHandEdits(run, signal);
  return halt ?? contradiction(run);
}

/** True while something was said or edited that the requirement does not say yet. */
function isPending(run: Run): boolean {
  const { wishes, edits } = pendingChanges(run);
  return (
    stateOf(run) === "changed" && (lastUnderstood(run.events) === null || wishes.length + edits.length > 0)
  );
}

/** True where the document was there, and nothing is asked for from which it is written anew. */
function isLost(run: Run): boolean {
  return isBeyond(run, "requirement") && stateOf(run) !== "changed";
}

async function change(run: Run, signal: AbortSignal): Promise<Halt | null> {
  setRow(run.board, "requirement", "active", "");
  await show(run, { headline: headline("requirement", run.language) }, true);
  const end = await callAgent(
    run,
    {
      agent: "requirement-manager",
      phase: "requirement",
      task: "change",
      instead: { "req-create": "req-change" },
      ...(await messageOf(run, signal)),
      output: RequirementChange.superRefine(({ service }, context) => {
        const known = reachableServices(run);
        if (!service || known.includes(service)) return;
        const message = `the service ${service} is not configured: ${known.join(", ") || "there is none"}`;
        context.addIssue({ code: "custom", path: ["service"], message });
      }),
    },
    signal,
  );
  const halt = haltOf("requirement-manager", end);
  if (halt || !end.output) return halt;
  const { wishes } = pendingChanges(run);
  const why = reasons(run, wishes);
  const before = stateBefore(run);
  // A design that nobody built on is cheap to make again, and a wrong one is dear.
  const isRedesigned = end.output.redesign ?? !isBuilt(before);
  const service = end.output.service ? { service: end.output.service } : {};
  const plan = (diff: RequirementDiff) => (isRedesigned ? "" : fitPlan(run, diff, wishes, service));
  const { document, diff } = await saveRequirement(run, end.output, (found) => [
    [diffWords(found, run.language), plan(found), why].filter(Boolean).join(" · "),
  ]);
  takeDocument(run, document);
  if (isNothing(diff) && isInReview(run) && wishes.length === 0 && !isRedesigned) {
    // Not even committed: a new head of the pull request would have no checks.
    return nothingToDo(run, {
      en: "stays in review: the edit changes no criterion",
      zh: "仍在评审中：这次编辑没有改变任何验收标准",
    });
  }
  if (isRedesigned) await advance(run, "clarified");
  else await goOn(run);
  return commitAndPush(run, `${run.requirement}: change the requirement`, signal);
}

/** What people changed in `requirement.md` on the branch needs no agent: it says itself what it says. */
async function takeHandEdits(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const isLeft = stateOf(run) === "changed";
  if (run.draft?.criteria.length === 0) return lostCriteria(run);
  if (!isEditedByHand(run)) {
    if (!isLeft) return null;
    await goOn(run);
    return commitAndPush(run, `${run.requirement}: go on`, signal);
  }
  const by = run.language === "zh" ? "手工编辑" : "edited by hand";
  const { document } = await takeOver(run, (diff) => [
    [diffWords(diff, run.language), fitPlan(run, diff, [], {}), by].filter(Boolean).join(" · "),
  ]);
  takeDocument(run, document);
  if (isLeft || isBuilt(stateOf(run))) await goOn(run);
  return commitAndPush(run, `${run.requirement}: take over the edited requirement`, signal);
}

/** Fits the plan to what changed, a wish that changes no criterion becoming a task; gives it in words for the change log. */
function fitPlan(
  run: Run,
  diff: RequirementDiff,
  wishes: readonly Wish[],
  service: Pick<PlannedTask, "service">,
): string {
  if (run.tasks.length === 0) return "";
  const { tasks, added, dropped } = revisePlan(run.tasks, diff, run.language);
  const isNew = (task: PlannedTask) => added.some(({ id, of }) => of === null && id === task.id);
  run.tasks = tasks.map((task) => (isNew(task) ? { ...task, ...service } : task));
  run.board.tasks = tasks.map(({ id, title, done }) => ({ id, title, mark: done ? "done" : "waiting" }));
  if (isNothing(diff))
    for (const { title } of wishes)
      if (!run.tasks.some((task) => task.title === title)) addTask(run, { title, after: [], ...service });
  const isChinese = run.language === "zh";
  return [
    ...added.map(({ id, of }) => (of === null ? `+ ${id}` : `${of} → ${id}`)),
    ...dropped.map((id) => (isChinese ? `不再做 ${id}` : `${id} not done`)),
  ].join(", ");
}

/** From here the work goes on where it stood before the change. */
async function goOn(run: Run): Promise<void> {
  if (run.tasks.length > 0) await saveTasks(run);
  const before = stateBefore(run);
  if (isBuilt(before)) await advance(run, "implementing");
  else await advance(run, run.tasks.length > 0 ? "designed" : "clarified");
  if (isBuilt(before)) setRow(run.board, "validate", "waiting", "");
}

/** True while the branch itself says that it is in review: whoever was interrupted on the way has something to hand over. */
function isInReview({ events, id }: Run): boolean {
  return foldState(events.filter(({ run }) => run !== id)).state === "in-review";
}

function isNothing({ changed, added, removed }: RequirementDiff): boolean {
  return changed.length + added.length + removed.length === 0;
}

/** A requirement that says two things is nothing that can be built: both are shown, and a person decides. */
function contradiction(run: Run): Halt | null {
  const parts = conflictsIn(run.documents.requirement);
  if (parts.length === 0) return null;
  const texts = (run.draft?.criteria ?? [])
    .filter(({ id }) => parts.includes(id))
    .map(({ id, text }) => `${id}: ${sidesOf(text)}`);
  const named = texts.length > 0 ? texts.join("; ") : parts.join(", ");
  const { doors, settings, requirement, language } = run;
  const go = doors.port ? `\`${settings.mention} …\`` : `\`accrue req change ${requirement} -- …\``;
  const reason =
    language === "zh"
      ? `需求有两种说法：${named} · 请在 requirement.md 中保留一种，或回复 ${go} 说明以哪个为准`
      : `The requirement says two things: ${named} · keep one of them in requirement.md, or say which holds: ${go}`;
  return { state: "paused", outcome: "not-run", reason, headline: reason };
}

/** The two texts of a criterion, each on one line. */
function sidesOf(text: string): string {
  const [first = "", second = ""] = text.split(/^> ⚠ \*\*.*$/m);
  const line = (said: string) =>
    clipEnd(inertLine(said.replace(/^> ?/gm, " ").replace(/\s+/g, " ").trim()), MAX_QUOTE);
  return `"${line(first)}" / "${line(second)}"`;
}

/** Why it changed, with links: the comments, the edit of the issue. */
function reasons(run: Run, wishes: readonly Wish[]): string {
  const said = wishes.map(({ text, from }) => {
    const words = clipEnd(inertLine(text).replace(/\s+/g, " ").trim(), MAX_QUOTE);
    const isLink = from?.url.startsWith("http") ?? false;
    return from === null
      ? `"${words}"`
      : `@${from.by}: ${isLink ? `["${words}"](${from.url})` : `"${words}"`}`;
  });
  const edited = pendingChanges(run).edits.map((url) =>
    url.startsWith("http")
      ? `[${run.language === "zh" ? "issue 已编辑" : "the issue was edited"}](${url})`
      : "",
  );
  return [...said, ...new Set(edited)].filter(Boolean).join("; ");
}

/** The difference against what was understood, and nothing else of the story. */
function differenceOf(run: Run): string {
  const said = issueSaid(run.ask);
  const before = lastUnderstood(run.events)?.issue?.text ?? null;
  const { wishes } = pendingChanges(run);
  const parts = wishes.map(
    ({ text, from }) => `<comment by="${from?.by ?? "unknown"}">\n${asMaterial(text)}\n</comment>`,
  );
  if (said === null || said === before) return parts.join("\n\n");
  if (before === null) return [`The issue as it is now:\n${asMaterial(said)}`, ...parts].join("\n\n");
  const { added, removed } = changedLines(before, said);
  const lines = [...removed.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)];
  return [
    `Lines of the issue that are gone (-) and new (+):\n${asMaterial(lines.join("\n"))}`,
    ...parts,
  ].join("\n\n");
}

async function messageOf(run: Run, signal: AbortSignal): Promise<Pick<AgentCall<unknown>, "text" | "code">> {
  const difference = differenceOf(run);
  const code = await knowledgeAlone(run, "requirement", { text: `${run.title}\n${difference}` }, signal);
  const tasks = run.tasks.map(
    ({ id, title, criteria, done, service }) =>
      `- [${done ? "x" : " "}] ${id} [${criteria.join(", ")}] ${asMaterial(title)}${service ? ` (service ${service})` : ""}`,
  );
  const text = run.skills.prompt("task-change", {
    repository: `${run.ask.repository.owner}/${run.ask.repository.name}`,
    requirement: run.requirement,
    document: asMaterial(run.documents.requirement),
    change: [difference, run.brought].filter(Boolean).join("\n\n"),
    knowledge: code.knowledge,
    tasks: tasks.join("\n") || "none",
    services: reachableServices(run).join(", ") || "none",
  });
  return { text, code };
}
