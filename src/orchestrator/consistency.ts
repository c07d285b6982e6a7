import type { Criterion, PlannedTask } from "../requirements/index.js";
import type { Language } from "../shared/index.js";

const SAY = {
  en: {
    noTask: (id: string) => `${id} has no task`,
    noTest: (id: string) => `${id} has no test`,
    noCriterion: (id: string) => `${id} serves no criterion`,
    unknown: (id: string, criterion: string) => `${id} serves ${criterion}, which does not exist`,
  },
  zh: {
    noTask: (id: string) => `${id} 没有对应的任务`,
    noTest: (id: string) => `${id} 没有对应的测试`,
    noCriterion: (id: string) => `${id} 没有对应的验收标准`,
    unknown: (id: string, criterion: string) => `${id} 引用了不存在的 ${criterion}`,
  },
} as const satisfies Record<Language, unknown>;

/**
 * Where criteria and plan do not fit each other: a criterion without a task or a test, a feature without a criterion, a criterion that
 * nobody wrote. It reads and changes nothing.
 */
export function inconsistencies(
  criteria: readonly Criterion[],
  tasks: readonly PlannedTask[],
  language: Language,
): string[] {
  const say = SAY[language];
  const ids = criteria.map(({ id }) => id);
  const served = new Set(tasks.flatMap((task) => task.criteria));
  const tested = new Set(tasks.flatMap(({ evidence }) => evidence.map(({ criterion }) => criterion)));
  const features = tasks.filter(({ kind }) => kind === "feature");
  return [
    ...ids.filter((id) => !served.has(id)).map(say.noTask),
    ...ids.filter((id) => served.has(id) && !tested.has(id)).map(say.noTest),
    ...features.filter((task) => task.criteria.length === 0).map(({ id }) => say.noCriterion(id)),
    ...tasks.flatMap((task) =>
      task.criteria.filter((id) => !ids.includes(id)).map((id) => say.unknown(task.id, id)),
    ),
  ];
}
