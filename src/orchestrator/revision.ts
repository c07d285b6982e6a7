import type { PlannedTask, RequirementDiff } from "../requirements/index.js";
import { type Language, clipEnd } from "../shared/index.js";

const MAX_TITLE = 110;
const ADAPTS = /^(?:Adapt|改写) (T\d+)/;

/** What a change of criteria makes of the plan. */
export interface Revision {
  tasks: PlannedTask[];
  /** Tasks that came up, each with the one that it does again. */
  added: { id: string; of: string | null }[];
  /** Ids of tasks that nobody needs any more and nobody began. */
  dropped: string[];
}

/**
 * Fits a plan to changed criteria: what is done stays done and is adapted by a task of its own, what is not done stays, what only
 * served criteria that are gone is not begun. Contract: the given tasks stay as they are.
 */
export function revisePlan(
  tasks: readonly PlannedTask[],
  diff: RequirementDiff,
  language: Language,
): Revision {
  const gone = diff.removed.map(({ id }) => id);
  const dropped = tasks.filter(
    ({ done, kind, criteria }) =>
      !done && kind !== "external" && criteria.length > 0 && criteria.every((id) => gone.includes(id)),
  );
  const kept = tasks.filter((task) => !dropped.includes(task));
  const revision: Revision = { tasks: [...kept], added: [], dropped: dropped.map(({ id }) => id) };
  let last = Math.max(0, ...tasks.map(({ id }) => Number(id.slice(1))));
  const add = (task: Omit<PlannedTask, "id" | "done" | "evidence">, of: string | null) => {
    last += 1;
    revision.tasks.push({ ...task, id: `T${last}`, done: false, evidence: [] });
    revision.added.push({ id: `T${last}`, of });
  };
  const changed = diff.changed.map(({ id }) => id);
  const adaptedBy = new Map<string, string>();
  for (const task of kept) {
    const touched = task.criteria.filter((id) => changed.includes(id));
    const isUnderWay = kept.some(({ done, title }) => !done && ADAPTS.exec(title)?.[1] === task.id);
    if (!task.done || task.kind === "external" || touched.length === 0 || isUnderWay) continue;
    if (ADAPTS.test(task.title)) continue;
    const { kind, files, service } = task;
    const after = task.after.flatMap((id) => adaptedBy.get(id) ?? []);
    const place = { kind, files, ...(service ? { service } : {}) };
    add({ title: adaptTitle(task.id, touched, language), ...place, criteria: touched, after }, task.id);
    adaptedBy.set(task.id, revision.added.at(-1)?.id ?? "");
  }
  const served = new Set(revision.tasks.filter(({ done }) => !done).flatMap(({ criteria }) => criteria));
  const unserved = [...diff.changed.map(({ id, after }) => ({ id, text: after })), ...diff.added].filter(
    ({ id }) => !served.has(id),
  );
  for (const { id, text } of unserved)
    add(
      { title: meetTitle(id, text, language), kind: "feature", files: [], criteria: [id], after: [] },
      null,
    );
  return revision;
}

/** True for a task that a change of criteria made. */
export function isOfChange({ title }: Pick<PlannedTask, "title">): boolean {
  return ADAPTS.test(title) || /^(?:Meet|满足) AC-\d+/.test(title);
}

/** Puts a new plan behind what stays of the old one: no id is given twice, also not that of a task that nobody began. */
export function planBehind(old: readonly PlannedTask[], plan: readonly PlannedTask[]): PlannedTask[] {
  const kept = old.filter(({ done, kind }) => done || kind === "external");
  if (kept.length === 0) return [...plan];
  const last = Math.max(...old.map(({ id }) => Number(id.slice(1))));
  const moved = (id: string) => `T${Number(id.slice(1)) + last}`;
  return [...kept, ...plan.map((task) => ({ ...task, id: moved(task.id), after: task.after.map(moved) }))];
}

function adaptTitle(task: string, criteria: readonly string[], language: Language): string {
  const list = criteria.join(", ");
  return language === "zh" ? `改写 ${task}：${list} 已改动` : `Adapt ${task} to the changed ${list}`;
}

function meetTitle(id: string, text: string, language: Language): string {
  const line = text.replace(/\s+/g, " ").replaceAll("`", "'");
  return clipEnd(language === "zh" ? `满足 ${id}：${line}` : `Meet ${id}: ${line}`, MAX_TITLE);
}
