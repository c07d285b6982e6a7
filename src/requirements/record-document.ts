import type { Language } from "../shared/index.js";
import { bullets, oneLine } from "./markdown.js";
import type { PlannedTask } from "./task-list.js";
import type { CostEvent, Criterion, RequirementEvent, StateEvent } from "./types.js";

/** What a completed requirement's record is made of; nothing of it is a model's word. */
export interface RecordInput {
  id: string;
  language: Language;
  criteria: readonly Criterion[];
  tasks: readonly PlannedTask[];
  events: readonly RequirementEvent[];
  /** What was learnt from it. */
  lessons: readonly { id: string; title: string }[];
}

const ENGLISH = {
  title: "Record",
  plan: "How it came about",
  changed: "What had to change",
  found: "What tests found",
  shown: "What shows each criterion",
  learnt: "What was learnt",
  none: "Nothing.",
  notShown: "no test shows it",
  runs: (runs: number, days: number, cost: string) =>
    `${runs} ${runs === 1 ? "run" : "runs"} over ${days} ${days === 1 ? "day" : "days"}, ${cost}`,
  tasks: (tasks: number, outside: number) =>
    `${tasks} ${tasks === 1 ? "task" : "tasks"}${outside > 0 ? `, ${outside} of them done by others` : ""}`,
  step: (state: string, at: string, evidence: string) => `${at}: ${state}${evidence && ` — ${evidence}`}`,
};
const CHINESE: typeof ENGLISH = {
  title: "记录",
  plan: "经过",
  changed: "变更",
  found: "测试发现的问题",
  shown: "各验收标准的证据",
  learnt: "沉淀的经验",
  none: "无。",
  notShown: "没有测试证明",
  runs: (runs, days, cost) => `${runs} 次运行，历时 ${days} 天，${cost}`,
  tasks: (tasks, outside) => `${tasks} 个任务${outside > 0 ? `，其中 ${outside} 个由他人完成` : ""}`,
  step: (state, at, evidence) => `${at}：${state}${evidence && ` — ${evidence}`}`,
};
/** States that tell how the work went; the others are steps of the machinery. */
const TOLD: readonly StateEvent["to"][] = [
  "opened",
  "designed",
  "approved",
  "in-review",
  "completed",
  "reopened",
];
const DAY_MS = 86_400_000;

/** Writes `record.md`: how the plan came about, what had to change, what tests found, what shows each criterion, what was learnt. */
export function formatRecord({ id, language, criteria, tasks, events, lessons }: RecordInput): string {
  const say = language === "zh" ? CHINESE : ENGLISH;
  const states = events.filter((event) => event.type === "state");
  const costs = events.filter((event) => event.type === "cost");
  const first = Date.parse(events[0]?.at ?? "");
  const days = Math.max(1, Math.ceil((Date.parse(events.at(-1)?.at ?? "") - first) / DAY_MS) || 1);
  const outside = tasks.filter(({ kind }) => kind === "external").length;
  const steps = states
    .filter(({ to }) => TOLD.includes(to))
    .map(({ to, at, evidence }) => say.step(to, at.slice(0, 10), oneLine(evidence ?? "")));
  const changes = states
    .filter(({ to }) => to === "changed")
    .map(({ evidence, at }) => `${at.slice(0, 10)}: ${evidence ?? ""}`);
  const failures = events.flatMap((event) =>
    event.type === "failed" ? [`${event.at.slice(0, 10)}: ${event.reason}`] : [],
  );
  const shown = criteria.map(
    (criterion) => `${criterion.id} ${criterion.text}: ${evidenceOf(criterion, tasks) || say.notShown}`,
  );
  const learnt = lessons.map((lesson) => `${lesson.id} ${lesson.title}`);
  const runs = new Set(costs.map(({ run }) => run)).size;
  return [
    `# ${say.title}: ${id}`,
    `## ${say.plan}`,
    bullets([say.runs(runs, days, dollars(costs)), say.tasks(tasks.length, outside), ...steps], say.none),
    `## ${say.changed}`,
    bullets(changes, say.none),
    `## ${say.found}`,
    bullets(failures, say.none),
    `## ${say.shown}`,
    bullets(shown, say.none),
    `## ${say.learnt}`,
    bullets(learnt, say.none),
  ]
    .join("\n\n")
    .concat("\n");
}

function evidenceOf({ id }: Criterion, tasks: readonly PlannedTask[]): string {
  const tests = tasks.flatMap(({ evidence }) => evidence.filter(({ criterion }) => criterion === id));
  return tests.map(({ path, test }) => `\`${path}\` ${test}`).join("; ");
}

function dollars(costs: readonly CostEvent[]): string {
  const micro = costs.flatMap(({ rows }) => rows).reduce((sum, row) => sum + (row.micro_usd ?? 0), 0);
  return `$${(micro / 1_000_000).toFixed(2)}`;
}
