import { unfolded } from "../../orchestrator/index.js";
import {
  changedSince,
  conflictsIn,
  foldState,
  lastUnderstood,
  parseEvents,
  parseRequirement,
  parseTasks,
  type RequirementEvent,
  type RequirementSummary,
  summaries,
} from "../../requirements/index.js";
import { AccrueError } from "../../shared/index.js";
import { EXIT } from "../output.js";
import type { CommandEnd } from "../program.js";
import type { RequirementTree } from "../requirement-tree.js";

const DAY_MS = 24 * 60 * 60_000;

/** Lists the requirements of a repository, what wants a person said with each, and those that were merged and never filed. */
export function reqListCommand(found: RequirementTree, nowMs: number): CommandEnd {
  const requirements = summaries(found.tree).map((summary) => ({
    ...shortOf(found, summary),
    problems: problemsOf(found, summary),
  }));
  const backlog = unfolded(found.base, nowMs - DAY_MS);
  const lines = requirements.flatMap(({ id, state, title, branch, problems }) => [
    `${id}  ${state.padEnd(12)}  ${title}${branch === null ? "" : `  (${branch})`}`,
    ...problems.map((problem) => `  ! ${problem}`),
  ]);
  if (requirements.length === 0) lines.push("There are no requirements.");
  for (const { id, since } of backlog)
    lines.push(
      `! ${id} was merged and is not filed, since ${since.slice(0, 10)}: reply retry on its pull request.`,
    );
  return { json: { requirements, backlog }, text: lines.join("\n"), status: EXIT.done };
}

/** Shows one requirement: where it stands, its criteria, its plan, and what changed. Throws `INPUT_INVALID` when there is none. */
export function reqShowCommand(found: RequirementTree, id: string): CommandEnd {
  const summary = summaries(found.tree).find((one) => one.id === id);
  if (!summary)
    throw new AccrueError(
      "INPUT_INVALID",
      `${id} is no requirement of this repository: \`accrue req list\` shows them.`,
    );
  const read = (name: string) => found.tree.get(`${summary.folder}/${name}`) ?? "";
  const { criteria, questions, changes } = parseRequirement(read("requirement.md"));
  const { events } = parseEvents(found.tree, id);
  const understood = lastUnderstood(events);
  const edited = understood ? changedSince(understood, criteria) : [];
  const tasks = parseTasks(read("tasks.md"));
  const short = shortOf(found, summary);
  const problems = problemsOf(found, summary);
  const json = { ...short, criteria, questions, tasks, changes, edited, problems };
  const text = [
    `${id}  ${summary.state}  ${summary.title}`,
    ...problems.map((problem) => `! ${problem}`),
    ...criteria.map(
      (one) => `${one.id}${edited.includes(one.id) ? " (edited)" : ""}  ${one.text.replace(/\s+/g, " ")}`,
    ),
    ...tasks.map(({ id: task, title, done }) => `[${done ? "x" : " "}] ${task}  ${title}`),
    ...changes.map((line) => `- ${line}`),
  ];
  return { json, text: text.join("\n"), status: EXIT.done };
}

function shortOf(found: RequirementTree, { id, state, phase, title, issue, folder }: RequirementSummary) {
  const { events } = parseEvents(found.tree, id);
  return {
    id,
    state,
    phase,
    title,
    issue,
    pull: pullIn(events),
    branch: found.branches.get(id) ?? null,
    folder,
  };
}

/** What a person has to look at: two ways that it went, event files that cannot be read, two texts of one criterion. */
function problemsOf(found: RequirementTree, { id, state, folder }: RequirementSummary): string[] {
  const { events, problems } = parseEvents(found.tree, id);
  const said = conflictsIn(found.tree.get(`${folder}/requirement.md`) ?? "");
  return [
    ...(state === "contested" ? foldState(events).problems : []),
    ...problems.map(({ message }) => message),
    ...(said.length > 0 ? [`requirement.md says two things: ${said.join(", ")}. Keep one of them.`] : []),
  ];
}

function pullIn(events: readonly RequirementEvent[]): number | null {
  const named = events.flatMap((event) =>
    event.type === "state" ? (/ in #(\d+)$/.exec(event.evidence ?? "")?.[1] ?? []) : [],
  );
  return named.length === 0 ? null : Number(named.at(-1));
}
