import type { Language } from "../shared/index.js";
import { HEADINGS } from "./headings.js";
import { oneLine } from "./markdown.js";

/** What somebody outside has to do: another team's interface, a configuration, a migration of data. */
export interface ExternalPart {
  /** Who does it. */
  who: string;
  /** What shows that it is done. */
  proof: string;
  /** The stand-in that what depends on it may use meanwhile, as agreed; empty: none is agreed, and it waits. */
  mock: string;
}

/** A step of the plan, as `tasks.md` keeps it: what is asked, and once it is done which tests show which criterion. */
export interface PlannedTask {
  /** `T1`. */
  id: string;
  title: string;
  kind: "feature" | "test" | "docs" | "errors" | "external";
  /** Criteria that it serves, such as `AC-1`. */
  criteria: string[];
  /** Paths that it creates or changes. */
  files: string[];
  /** Name of the service in whose repository it is done; absent: the requirement's own repository. */
  service?: string;
  /** Ids of tasks that have to be done first. */
  after: string[];
  done: boolean;
  evidence: { criterion: string; path: string; test: string }[];
  /** Present where the kind is `external`. */
  external?: ExternalPart;
}

const KINDS: readonly PlannedTask["kind"][] = ["feature", "test", "docs", "errors", "external"];
/** One criterion in brackets, or several as people write them. */
const CRITERIA = /\[AC-\d+(?:\s*[,，、]\s*AC-\d+)*\]/g;
const PARTS = ["who", "proof", "mock"] as const;

/** Writes `tasks.md`: one checkbox a task, with the criteria it serves and the files it touches. */
export function formatTasks(input: {
  id: string;
  title: string;
  language: Language;
  tasks: readonly PlannedTask[];
}): string {
  const words = HEADINGS[input.language];
  const body = input.tasks.length === 0 ? words.none : input.tasks.flatMap(linesOf).join("\n");
  return `# ${words.tasks}: ${input.id} ${oneLine(input.title)}\n\n${body}\n`;
}

function linesOf(task: PlannedTask): string[] {
  const { id, title, kind, criteria, files, service, after, done, evidence, external } = task;
  const parts = PARTS.flatMap((part) =>
    external?.[part] ? [`  - ${part}: ${oneLine(external[part])}`] : [],
  );
  const tags = criteria.map((criterion) => `[${criterion}]`);
  return [
    [`- [${done ? "x" : " "}]`, id, ...tags, oneLine(title).replaceAll("`", "'"), ...files.map(code)].join(
      " ",
    ),
    `  - kind: ${kind}`,
    ...(service ? [`  - service: ${service}`] : []),
    ...(after.length > 0 ? [`  - after: ${after.join(", ")}`] : []),
    ...parts,
    ...evidence.map(({ criterion, path, test }) => `  - ${criterion}: ${code(path)} ${oneLine(test)}`),
  ];
}

/** What people approve of a plan: its steps, whatever is ticked or shown of them by now. */
export function approvablePlan(tasks: readonly PlannedTask[]): string {
  return tasks.flatMap((task) => linesOf({ ...task, done: false, evidence: [] })).join("\n");
}

/**
 * Reads `tasks.md`, also after people edited it. A second task with an id that there is already gets the next free one.
 * Contract: never throws; lines that are no task are passed over.
 */
export function parseTasks(text: string): PlannedTask[] {
  const tasks: PlannedTask[] = [];
  for (const line of text.split(/\r?\n/)) {
    const head = /^\s{0,1}[-*+] \[([ xX])\] (T\d+)(?:[:：.]\s*|\s+)(.*)$/.exec(line);
    const last = tasks.at(-1);
    if (head) tasks.push(readTask(head));
    else if (last) readDetail(last, line);
  }
  const seen = new Set<string>();
  let highest = Math.max(0, ...tasks.map(({ id }) => Number(id.slice(1))));
  for (const task of tasks) {
    if (seen.has(task.id)) task.id = `T${(highest += 1)}`;
    seen.add(task.id);
  }
  return tasks;
}

function readTask([, box = " ", id = "", rest = ""]: RegExpExecArray): PlannedTask {
  const criteria = [...rest.matchAll(CRITERIA)].flatMap(([list]) => list.match(/AC-\d+/g) ?? []);
  const files = [...rest.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
  const title = rest
    .replace(CRITERIA, "")
    .replace(/`[^`]+`/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return { id, title, kind: "feature", criteria, files, after: [], done: box !== " ", evidence: [] };
}

function readDetail(task: PlannedTask, line: string): void {
  const [, key = "", value = ""] =
    /^\s+[-*+] (kind|service|after|who|proof|mock|AC-\d+)(?:: |：\s*)(.+)$/.exec(line) ?? [];
  if (key === "kind") task.kind = KINDS.find((kind) => kind === value.trim()) ?? task.kind;
  if (key === "service") task.service = value.trim();
  const part = PARTS.find((name) => name === key);
  if (part) task.external = { who: "", proof: "", mock: "", ...task.external, [part]: value.trim() };
  if (key === "after") task.after = value.split(/[\s,，、;；]+/).filter(Boolean);
  const [, path = "", test = ""] = /^`([^`]+)` (.+)$/.exec(value) ?? [];
  if (key.startsWith("AC-") && path) task.evidence.push({ criterion: key, path, test: test.trim() });
}

function code(text: string): string {
  return `\`${oneLine(text).replaceAll("`", "'")}\``;
}
