import picomatch from "picomatch";
import type { PlannedTask } from "../requirements/index.js";
import type { PlannedStep } from "./outputs.js";
import type { ServiceOptions } from "./service-options.js";

/** What a task says about its place in the plan. */
type Step = Pick<PlannedTask, "id" | "after">;

/** A plan grows with what it has to show: so many tasks, and so many more for each acceptance criterion. */
const TASKS = { least: 2, perCriterion: 3 };

/**
 * Why a plan cannot be executed, in words that its planner can act on: ids used twice, unknown dependencies, cycles, steps of
 * others that name nobody, services that there are not, more tasks than the requirement is worth. Empty when it can.
 */
export function checkPlan(
  steps: readonly PlannedStep[],
  criteria: number,
  services: ServiceOptions = {},
): string[] {
  const ids = steps.map(({ id }) => id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `task ${id} is there twice`);
  const unknown = steps.flatMap(({ id, after }) =>
    after
      .filter((other) => !ids.includes(other))
      .map((other) => `task ${id} comes after ${other}, which does not exist`),
  );
  const outside = steps.flatMap(({ id, kind, external, accompanying }) => [
    ...(kind === "external" && !external
      ? [`task ${id} is external: say who does it and what proves it`]
      : []),
    ...(kind !== "external" && external
      ? [`task ${id} says who else does it: its kind has to be external`]
      : []),
    ...(kind === "external" && accompanying.length > 0
      ? [`task ${id} is done by others: nothing accompanies it`]
      : []),
  ]);
  const most = TASKS.least + TASKS.perCriterion * criteria;
  const count = steps.length + steps.flatMap(({ accompanying }) => accompanying).length;
  const many =
    count > most
      ? [
          `${count} tasks for ${criteria} acceptance ${criteria === 1 ? "criterion" : "criteria"}: at most ${most}, so join what belongs together`,
        ]
      : [];
  const problems = [...twice, ...unknown, ...outside, ...steps.flatMap(elsewhere(services)), ...many];
  if (problems.length > 0) return problems;
  const stuck = leftOver(steps);
  return stuck.length > 0 ? [`tasks ${stuck.join(", ")} wait for each other`] : [];
}

/** What is wrong with the service that a step or what accompanies it names. */
function elsewhere(services: ServiceOptions): (step: PlannedStep) => string[] {
  const known = Object.keys(services);
  return ({ id, kind, service, files, accompanying }) => {
    const parts = [
      { service, files },
      ...accompanying.map((part) => ({ ...part, service: part.service ?? service })),
    ];
    return parts.flatMap((part) => {
      if (!part.service) return [];
      if (kind === "external") return [`task ${id} is done by others: it names no service`];
      const { paths } = services[part.service] ?? {};
      if (!paths) {
        const there =
          known.length > 0
            ? `there ${known.length === 1 ? "is" : "are"} ${known.join(", ")}`
            : "there is none";
        return [`task ${id} names the service ${part.service}, which is not configured: ${there}`];
      }
      const isOwn = paths.length === 0 ? () => true : picomatch(paths, { dot: true });
      const foreign = part.files.filter((path) => !isOwn(path));
      return foreign.length > 0
        ? [
            `task ${id} changes ${foreign.join(", ")}, which is not among the paths of ${part.service}: ${paths.join(", ")}`,
          ]
        : [];
    });
  };
}

/**
 * The tasks of a plan in an order in which they can be done: each feature step, then what accompanies it. With `testFirst` the
 * tests of a step come before it.
 */
export function expandPlan(
  steps: readonly PlannedStep[],
  { testFirst }: { testFirst: boolean },
): PlannedTask[] {
  let last = Math.max(0, ...steps.map(({ id }) => Number(id.slice(1))));
  const tasks = steps.flatMap(({ accompanying, external, service, ...step }) => {
    const own: PlannedTask = {
      ...step,
      ...NOT_DONE,
      ...inService(service),
      ...(external ? { external } : {}),
    };
    const others = accompanying.map(({ service: named, ...part }): PlannedTask => {
      const isBefore = testFirst && part.kind === "test";
      return {
        ...part,
        ...NOT_DONE,
        ...inService(named ?? service),
        id: `T${++last}`,
        after: isBefore ? step.after : [step.id],
      };
    });
    const before = others.filter(({ kind }) => testFirst && kind === "test").map(({ id }) => id);
    return [{ ...own, after: [...own.after, ...before] }, ...others];
  });
  return orderTasks(tasks);
}

const NOT_DONE = { done: false, evidence: [] };

function inService(service: string | null | undefined): Pick<PlannedTask, "service"> {
  return service ? { service } : {};
}

/** Tasks that never become ready. */
function leftOver(tasks: readonly Step[]): string[] {
  const ordered = new Set(orderTasks(tasks).map(({ id }) => id));
  return tasks.filter(({ id }) => !ordered.has(id)).map(({ id }) => id);
}

/** Topological order; among ready tasks the given order stays. Tasks in a cycle are left out. */
export function orderTasks<T extends Step>(tasks: readonly T[]): T[] {
  const ordered: T[] = [];
  const done = new Set<string>();
  for (;;) {
    const next = tasks.find(({ id, after }) => !done.has(id) && after.every((other) => done.has(other)));
    if (!next) return ordered;
    done.add(next.id);
    ordered.push(next);
  }
}

/** Tasks that nothing holds back any more: what they come after is done, or is somebody else's and has an agreed stand-in. */
export function readyTasks(tasks: readonly PlannedTask[]): PlannedTask[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const isMet = (id: string) => {
    const task = byId.get(id);
    // A person may have taken a task out of the list: what came after it is not held back for ever.
    return task === undefined || task.done || Boolean(task.external?.mock);
  };
  return tasks.filter(({ done, kind, after }) => !done && kind !== "external" && after.every(isMet));
}

/** What others still have to do. */
export function openExternals(tasks: readonly PlannedTask[]): PlannedTask[] {
  return tasks.filter(({ kind, done }) => kind === "external" && !done);
}
