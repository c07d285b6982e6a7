/** What a task says about its place in the plan. */
interface Step {
  id: string;
  after: string[];
}

/** Why a plan cannot be executed: ids used twice, unknown dependencies, cycles. Empty when it can. */
export function checkPlan(tasks: readonly Step[]): string[] {
  const ids = tasks.map(({ id }) => id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `task ${id} is there twice`);
  const unknown = tasks.flatMap(({ id, after }) =>
    after
      .filter((other) => !ids.includes(other))
      .map((other) => `task ${id} comes after ${other}, which does not exist`),
  );
  const problems = [...twice, ...unknown];
  if (problems.length > 0) return problems;
  const stuck = leftOver(tasks);
  return stuck.length > 0 ? [`tasks ${stuck.join(", ")} wait for each other`] : [];
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
