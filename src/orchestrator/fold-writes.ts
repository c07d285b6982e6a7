import { type FoldResult, type Tree, fold, parseDeposit } from "../knowledge/index.js";
import {
  archive,
  type CostEvent,
  costEvent,
  eventPath,
  formatEvent,
  foldState,
  formatIndex,
  formatRecord,
  parseEvents,
  parseRequirement,
  parseTasks,
  type RequirementEvent,
  type State,
  stateEvent,
  summaries,
} from "../requirements/index.js";
import { isoTime, type Language } from "../shared/index.js";
import type { FiledShared } from "./file-shared.js";
import { openExternals } from "./plan.js";
import type { EngineDeps } from "./types.js";

const INDEX = "requirements/INDEX.md";

/** What the merge was that a fold follows. */
export interface Completed {
  /** Null when the merged pull request brought knowledge only. */
  requirement: string | null;
  /** Commit id of the merge, and whose click it was. */
  merged: { sha: string; pull: number; by: string };
  /** Ids of parts of others that people ticked. */
  ticked: readonly string[];
  /** The delivery that told of it: the completion's events name it as their run. */
  key: string;
  language: Language;
  /** What went to the repository that several share: it is not filed here too. */
  filed: FiledShared;
  /** What runs cost that the requirement's events do not tell yet. */
  costs(events: readonly RequirementEvent[]): Pick<CostEvent, "run" | "rows">[];
}

/** What a fold changes, and which deposits it leaves to a person. */
interface FoldWrites extends Pick<FoldResult, "review"> {
  writes: Map<string, string | null>;
  summary: string[];
  /** Parts of others that keep the requirement from being completed, as a sentence; empty when nothing does. */
  waitsFor: string;
}

/** All writes of the fold on a tree: events, moves, notes, rules, indexes. Contract: on its own result it writes nothing. */
export function foldWrites(
  input: Completed,
  deps: Pick<EngineDeps, "clock" | "newId">,
  given: Tree,
): FoldWrites {
  const writes = new Map<string, string | null>();
  const summary: string[] = [];
  const apply = (changes: ReadonlyMap<string, string | null>) => {
    for (const [path, text] of changes) writes.set(path, text);
  };
  const plan = tickedPlan(input, given);
  const tree = plan === null ? given : overlay(given, new Map([plan]));
  if (plan) apply(new Map([plan]));
  const open = openExternals(parseTasks(plan?.[1] ?? ""));
  const waitsFor = open.map(({ id, title }) => `${id} ${title}`).join(", ");
  const isCompleted = input.requirement !== null && open.length === 0;
  if (input.requirement) {
    const events = completionEvents(input, { ...deps, isCompleted }, tree);
    apply(new Map(events.map((event) => [eventPath(event), formatEvent(event)])));
    if (events.length > 0)
      summary.push(
        isCompleted ? `${input.requirement} completed` : `${input.requirement} waits for ${waitsFor}`,
      );
    if (isCompleted) apply(archive(withRecord(input, overlay(tree, writes)), input.requirement));
  }
  const gone = new Map([...input.filed.paths].map((path) => [path, null] as const));
  const folded = fold(overlay(tree, gone), {
    completed: isCompleted && input.requirement ? [{ requirement: input.requirement }] : [],
    now: isoTime(deps.clock.now()),
    language: input.language,
  });
  apply(gone);
  apply(folded.writes);
  summary.push(...folded.summary, ...filedElsewhere(input.filed));
  const index = formatIndex(summaries(overlay(tree, writes)), input.language);
  if (
    tree.get(INDEX) !== index &&
    [...overlay(tree, writes).keys()].some((path) => path.startsWith("requirements/events/"))
  )
    writes.set(INDEX, index);
  for (const [path, text] of writes) if ((tree.get(path) ?? null) === text) writes.delete(path);
  return { writes, summary, review: folded.review, waitsFor };
}

function filedElsewhere({ name, paths, waitsIn, reason }: FiledShared): string[] {
  if (reason !== "") return [`nothing goes to ${name}: ${reason}`];
  if (paths.size === 0) return [];
  const where = waitsIn === null ? `filed in ${name}` : `waiting in ${name}#${waitsIn}`;
  return [`${paths.size} ${paths.size === 1 ? "lesson" : "lessons"} ${where}`];
}

/** Path and text of the plan of a requirement that is in progress, with the boxes that people ticked elsewhere. */
function tickedPlan({ requirement, ticked }: Completed, tree: Tree): [string, string] | null {
  const file = [...tree].find(
    ([path]) => path.startsWith(`requirements/in-progress/${requirement}-`) && path.endsWith("/tasks.md"),
  );
  if (requirement === null || !file) return null;
  const [path, text] = file;
  const isTicked = (id: string) => ticked.includes(id);
  return [
    path,
    text.replace(/^([-*] \[) (\] (T\d+)\s)/gm, (line, head: string, tail: string, id: string) =>
      isTicked(id) ? `${head}x${tail}` : line,
    ),
  ];
}

/** The tree with the requirement's record beside its other documents, so that it moves with them. */
function withRecord({ requirement, language }: Completed, tree: Map<string, string>): Map<string, string> {
  const id = requirement ?? "";
  const document = [...tree].find(
    ([path]) => path.startsWith(`requirements/in-progress/${id}-`) && path.endsWith("/requirement.md"),
  );
  if (!document) return tree;
  const { events } = parseEvents(tree, id);
  const runs = new Set(events.map(({ run }) => run));
  const lessons = [...tree]
    .filter(([path]) => path.startsWith("context/deposits/"))
    .flatMap(([path, text]) => parseDeposit(path, text).deposit ?? [])
    .filter(({ run }) => runs.has(run))
    .map(({ note }) => ({ id: note.id, title: note.title }));
  const folder = document[0].replace(/\/requirement\.md$/, "");
  const tasks = parseTasks(tree.get(`${folder}/tasks.md`) ?? "");
  const { criteria } = parseRequirement(document[1]);
  const record = formatRecord({ id, language, criteria, tasks, events, lessons });
  return tree.set(`${folder}/record.md`, record);
}

function completionEvents(
  input: Completed,
  deps: Pick<EngineDeps, "clock" | "newId"> & { isCompleted: boolean },
  tree: Tree,
): RequirementEvent[] {
  const requirement = input.requirement ?? "";
  const events = [...parseEvents(tree, requirement).events];
  if (events.length === 0) return [];
  const state = foldState(events).state;
  if (state === "completed" || state === "contested") return [];
  const all: State[] = state === "verifying" ? ["completed"] : ["verifying", "completed"];
  const steps = deps.isCompleted ? all : all.filter((to) => to !== "completed");
  const { key, merged, costs } = input;
  const stamp = { req: requirement, actor: merged.by, at: isoTime(deps.clock.now()) };
  const made: RequirementEvent[] = costs(events).map((cost) =>
    costEvent({ id: deps.newId(), ...stamp, ...cost }),
  );
  let from: State = state;
  for (const to of steps) {
    made.push(
      stateEvent({
        id: deps.newId(),
        ...stamp,
        run: key,
        from,
        to,
        evidence: `merged as ${merged.sha} in #${merged.pull}`,
      }),
    );
    from = to;
  }
  return made;
}

function overlay(tree: Tree, writes: ReadonlyMap<string, string | null>): Map<string, string> {
  const result = new Map(tree);
  for (const [path, text] of writes) {
    if (text === null) result.delete(path);
    else result.set(path, text);
  }
  return result;
}
