import { AccrueError, type Clock, marker, sleep } from "../../shared/index.js";
import { type Output, paint } from "../output.js";
import type { Person, StoryPull } from "./person.js";
import { type Spent, spentOf } from "./spent.js";

const POLL_MS = 100;
const PATIENCE_MS = 120_000;
const REPOSITORY = "acme/roster";
const LESSON =
  "Exports go through src/export/registry.js; never quote CSV cells by hand, use quoteCell of src/lib/cells.js";

/** One requirement of the story, as it came out. */
export interface Chapter {
  requirement: string;
  issue: number;
  pull: StoryPull;
  check: { conclusion: string | null; title: string; summary: string };
  spent: Spent;
  /** From the label to the finished pull request. */
  durationMs: number;
  transcript: string[];
}

/** What the story is told with. */
export interface StoryDeps {
  person: Person;
  clock: Clock;
  output: Output;
  mention: string;
  label: string;
  /** Called after the first requirement was merged and filed: tests change here what was learnt. */
  between(): Promise<void>;
}

/** Two similar issues, one after the other: the second finds what the first one taught. */
export async function tellStory(deps: StoryDeps, signal: AbortSignal): Promise<[Chapter, Chapter]> {
  const first = await work(deps, "user", signal);
  await teach(deps, first, signal);
  await merge(deps, first, signal);
  await deps.between();
  const second = await work(deps, "order", signal);
  return [first, second];
}

async function work(deps: StoryDeps, module: string, signal: AbortSignal): Promise<Chapter> {
  const { person, clock, output } = deps;
  const title = `add CSV export to the ${module} module`;
  const startMs = clock.now();
  const body = `Our back office wants to open the ${module}s in a spreadsheet. JSON is there already; please add CSV.`;
  const issue = await person.openIssue(title, body, deps.label);
  const requirement = `REQ-${issue}`;
  say(
    output,
    `${paint(output, "bold", `#${issue} ${title}`)}  · opened by @maya in ${REPOSITORY}, label \`${deps.label}\``,
  );
  const transcript = await follow(deps, { issue, requirement, startMs }, signal);
  const pull = await person.pullOf(requirement);
  if (!pull)
    throw new AccrueError(
      "GITHUB_MISSING",
      `The demo found no pull request for ${requirement}. The status comment said: ${transcript.at(-1) ?? "nothing"}`,
    );
  const check = (await person.check(pull.head.sha)) ?? {
    conclusion: null,
    title: "no check run",
    summary: "",
  };
  const spent = await spentOf(person, requirement, pull.head.ref);
  return { requirement, issue, pull, check, spent, durationMs: clock.now() - startMs, transcript };
}

/** Prints each new first line of the status comment until the run has ended. */
async function follow(
  deps: StoryDeps,
  at: { issue: number; requirement: string; startMs: number },
  signal: AbortSignal,
): Promise<string[]> {
  const { person, clock, output } = deps;
  const lines: string[] = [];
  for (;;) {
    if (clock.now() - at.startMs > PATIENCE_MS)
      throw new AccrueError(
        "RUN_STOPPED",
        `The demo waited ${PATIENCE_MS / 1000} s for ${at.requirement}. Last: ${lines.at(-1) ?? "nothing"}`,
      );
    const body = await statusOf(person, at.issue, at.requirement);
    const head = firstLine(body);
    if (head && head !== lines.at(-1)) {
      lines.push(head);
      say(output, `${paint(output, "dim", seconds(clock.now() - at.startMs))}  ${head}`);
      for (const reminder of remindersIn(body, lines))
        say(output, `         ${paint(output, "yellow", reminder)}`);
    }
    if (/^(✅|❌|⏸)/.test(head)) return lines;
    await sleep(POLL_MS, signal);
  }
}

async function statusOf(person: Person, issue: number, requirement: string): Promise<string> {
  const mark = marker("status", requirement);
  return (await person.comments(issue)).find(({ body }) => body.includes(mark))?.body ?? "";
}

function firstLine(body: string): string {
  const line = body.split("\n").find((text) => /^(✅|❌|⏸|⏳)/.test(text)) ?? "";
  return line.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[*`]/g, "");
}

/** The reminder line of a status comment, the first time it is there. */
function remindersIn(body: string, seen: string[]): string[] {
  const line = body.split("\n").find((text) => text.startsWith("**From earlier work**"));
  if (!line || seen.includes(line)) return [];
  seen.splice(-1, 0, line);
  return [line.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("**", "")];
}

/** The person reviews and teaches: one comment, no model. */
async function teach(
  { person, output, mention, clock }: StoryDeps,
  { pull, requirement }: Chapter,
  signal: AbortSignal,
): Promise<void> {
  say(output, `@maya on #${pull.number}: ${mention} remember ${LESSON}`);
  const startMs = clock.now();
  await person.comment(pull.number, `${mention} remember ${LESSON}`);
  await until(async () => (await person.comments(pull.number)).some(({ body }) => body.includes("EXP-")), {
    clock,
    startMs,
    what: `the answer on #${pull.number} of ${requirement}`,
    signal,
  });
  const answer = (await person.comments(pull.number)).findLast(({ body }) => body.includes("EXP-"));
  const line = answer?.body.split("\n").find((text) => text.startsWith("✅")) ?? "";
  say(
    output,
    `${paint(output, "dim", seconds(clock.now() - startMs))}  ${line.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")}`,
  );
}

/** The person merges; the bot completes the requirement and files what was learnt. */
async function merge(
  { person, output, clock }: StoryDeps,
  chapter: Chapter,
  signal: AbortSignal,
): Promise<void> {
  const startMs = clock.now();
  const pull = await person.pullOf(chapter.requirement);
  if (!pull)
    throw new AccrueError("GITHUB_MISSING", `#${chapter.pull.number} is gone before it could be merged.`);
  await person.merge(pull);
  say(output, `@maya merged #${pull.number}`);
  await until(
    async () =>
      /completed|已完成/i.test(firstLine(await statusOf(person, chapter.issue, chapter.requirement))),
    {
      clock,
      startMs,
      what: `the completion of ${chapter.requirement}`,
      signal,
    },
  );
  say(
    output,
    `${paint(output, "dim", seconds(clock.now() - startMs))}  ${firstLine(await statusOf(person, chapter.issue, chapter.requirement))}`,
  );
}

async function until(
  holds: () => Promise<boolean>,
  wait: { clock: Clock; startMs: number; what: string; signal: AbortSignal },
): Promise<void> {
  while (!(await holds())) {
    if (wait.clock.now() - wait.startMs > PATIENCE_MS)
      throw new AccrueError("RUN_STOPPED", `The demo waited ${PATIENCE_MS / 1000} s for ${wait.what}.`);
    await sleep(POLL_MS, wait.signal);
  }
}

function say(output: Output, text: string): void {
  output.err(`  ${text}\n`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(5)} s`;
}
