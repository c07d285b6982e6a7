// What runs leave when they end: a branch with requirement, events and a lesson, and its pull request. Made at once, without a
// model, so that tests can merge many of them in the same moment.
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { type Deposit, formatDeposit, parseRules, readMemories } from "../../src/knowledge/index.js";
import { eventPath, formatEvent, stateEvent } from "../../src/requirements/index.js";
import type { Place } from "./place.js";
import type { Stack } from "./stack.js";

const AT = "2026-11-30T10:00:00.000Z";
const STATES = ["opened", "clarified", "designed", "approved", "implementing", "in-review"] as const;

/** A run that waits for its merge. */
export interface FinishedRun {
  pull: number;
  requirement: string;
  note: string;
  rule: string;
  branch: string;
}

/** A ULID, or the end of an id, that a number says. */
const digits = (number: number, length: number) => String(number).padStart(length, "0");

/** A lesson with one rule, as a run or a person leaves it. */
export function depositOfRun(number: number, change: Partial<Deposit> = {}): Deposit {
  const id = `01JBBBBBBBBBBBBBBBBBBB${digits(number, 4)}`;
  const note: Deposit["note"] = {
    id: `EXP-RVN${digits(number, 5)}`,
    title: `Lesson of run ${number}`,
    type: "pattern",
    status: "active",
    trust: "bot",
    problem: `Module ${number} was read twice.`,
    triggers: {
      keywords: [`module ${number}`],
      paths: [`src/m${number}.js`],
      symbols: [],
      labels: [],
      phases: [],
      text: [],
    },
    solution: `Call \`openModule${number}\` of \`src/m${number}.js\` before anything else.`,
    verification: "node --test",
    related: [],
    file: `context/deposits/${id}.md`,
    raw: "",
    ...change.note,
  };
  const rule: Deposit["rules"][number] = {
    id: `R-RV${digits(number, 4)}`,
    title: `Module ${number} is opened first`,
    kind: "risk",
    level: "warn",
    status: "active",
    match: "any",
    keywords: [`module ${number}`],
    paths: [],
    labels: [],
    symbols: [],
    services: [],
    phases: [],
    load: [],
    alert: `open module ${number} first`,
    suggest: [],
    check: "",
    source: note.id,
    prose: "",
    file: note.file,
    line: 1,
  };
  const own = { id, run: id, by: "maya", source: "https://example.org/1", at: AT, rules: [rule] };
  return { ...own, ...change, note };
}

/** The files of a deposit. */
export function depositFile(deposit: Deposit): Record<string, string> {
  return { [`context/deposits/${deposit.id}.md`]: formatDeposit(deposit) };
}

function requirementFiles(requirement: string, number: number): Record<string, string> {
  const files: Record<string, string> = {
    [`requirements/in-progress/${requirement}-module/requirement.md`]: `# ${requirement} Module ${number}\n\n## Problem\n\nIt is missing.\n`,
  };
  let from: (typeof STATES)[number] | null = null;
  for (const [index, to] of STATES.entries()) {
    const id = `01JCCCCCCCCCCCCCCCCC${digits(number, 4)}${digits(index, 2)}`;
    const event = stateEvent({ id, req: requirement, run: id, actor: "accrue[bot]", at: AT, from, to });
    files[eventPath(event)] = formatEvent(event);
    from = to;
  }
  return files;
}

/** Ends so many runs at once; numbers of requirements begin at `first`. */
export async function finishRuns(
  stack: Stack,
  place: Place,
  { count, first = 1, extra = {} }: { count: number; first?: number; extra?: Record<string, string> },
): Promise<FinishedRun[]> {
  const runs: FinishedRun[] = [];
  for (let number = first; number < first + count; number++) {
    const requirement = `REQ-${1000 + number}`;
    const branch = `agent/${requirement}-module`;
    const deposit = depositOfRun(number);
    await stack.forge.control.commit({
      repository: place.repository,
      branch,
      from: "main",
      login: "maya",
      message: `${requirement}: hand over`,
      files: {
        ...requirementFiles(requirement, number),
        ...depositFile(deposit),
        [`src/m${number}.js`]: `export const openModule${number} = () => ${number};\n`,
        ...extra,
      },
    });
    const { number: pull } = (await place.as("maya", "POST", "/pulls", {
      head: branch,
      base: "main",
      title: `Module ${number}`,
      body: "<!-- accrue:start -->\nof a run\n<!-- accrue:end -->",
    })) as { number: number };
    const [rule] = deposit.rules;
    runs.push({ pull, requirement, branch, note: deposit.note.id, rule: rule?.id ?? "" });
  }
  return runs;
}

/** All files of `context/` and `requirements/` on a branch, path → text, read by git itself. */
export function knowledgeOn(stack: Stack, place: Place, ref = "main"): Map<string, string> {
  const gitDir = join(dirname(stack.data), "git", `${place.repository}.git`);
  const git = (...args: string[]) =>
    execFileSync("git", ["--git-dir", gitDir, ...args], { encoding: "utf8", maxBuffer: 1 << 26 });
  const commit = git("rev-parse", ref).trim();
  const listed = git("ls-tree", "-r", "-z", "--name-only", commit, "context/", "requirements/");
  const paths = listed.split("\0").filter(Boolean);
  return new Map(paths.map((path) => [path, git("show", `${commit}:${path}`)]));
}

const RISKS = "context/rules/risk-rules.md";
const INDEX_LINE = /^- EXP-RVN\d{5} |and (\d+) more in `context\/experience\/`/gm;

/** What is lost, doubled or left over of runs that were folded: nothing when all went well. */
export function wrongOf(tree: ReadonlyMap<string, string>, runs: readonly FinishedRun[]): string[] {
  const wrong: string[] = [];
  const once = (what: string, count: number) => {
    if (count !== 1) wrong.push(`${what}: ${count} times`);
  };
  const paths = [...tree.keys()];
  const { rules, problems } = parseRules(RISKS, tree.get(RISKS) ?? "", "risk");
  const { memories } = readMemories(tree);
  for (const { requirement, note, rule } of runs) {
    once(note, paths.filter((path) => path.endsWith(`-${note}.md`)).length);
    once(`memory ${note}`, memories.filter(({ id }) => id === note).length);
    once(rule, rules.filter(({ id }) => id === rule).length);
    once(
      `${requirement} in the index`,
      (tree.get("requirements/INDEX.md") ?? "").split(`[${requirement}]`).length - 1,
    );
    const folder = `requirements/completed/${requirement}-module/requirement.md`;
    once(folder, tree.has(folder) ? 1 : 0);
    const ended = paths.filter((path) => path.startsWith(`requirements/events/${requirement}/`));
    const completed = ended.filter((path) => tree.get(path)?.includes('"to":"completed"'));
    once(`${requirement} completed`, completed.length);
  }
  let indexed = 0;
  for (const [, more] of (tree.get("context/INDEX.md") ?? "").matchAll(INDEX_LINE))
    indexed += Number(more ?? 1);
  if (indexed !== runs.length) wrong.push(`context/INDEX.md has ${indexed} notes of ${runs.length}`);
  const left = paths.filter((path) => /deposits\/|in-progress\//.test(path));
  const marked = paths.filter((path) => /^(<{7}|={7}|>{7})/m.test(tree.get(path) ?? ""));
  return [...wrong, ...left, ...marked, ...problems.map(({ message }) => message)];
}
