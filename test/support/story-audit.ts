// What has to be true of a repository after its story, whatever happened in it.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { foldState, parseEvents, parseTasks } from "../../src/requirements/index.js";
import type { Paid } from "./model-gate.js";
import type { Place } from "./place.js";
import type { Stack } from "./stack.js";

/** What happened in one repository. */
export interface Story {
  place: Place;
  issues: { number: number; body: string }[];
  /** What people asked for besides; `isStopped` when somebody said stop afterwards. */
  wishes: { text: string; issue: number; isStopped: boolean }[];
  /** What people said, byte for byte. */
  said: { id: number; issue: number; body: string }[];
  commits: { sha: string; path: string; text: string }[];
  /** Lines that people wrote into a requirement's document. */
  lines: { issue: number; line: string }[];
  /** The default branch, as people left it. */
  main: string;
}

/** No work is lost or done twice, nothing of people's is touched, states fold, and the bill is exact. */
export async function expectWhole(stack: Stack, story: Story): Promise<void> {
  const { place, issues, wishes, said, commits, lines, main } = story;
  expect(gitIn(stack, place, "rev-parse", "main").trim()).toBe(main);
  const heads = issues.flatMap(({ number }) => branchesOf(stack, place, number));
  for (const { sha, path, text } of commits) {
    const holding = gitIn(stack, place, "branch", "--contains", sha, "--format=%(refname:short)").trim();
    expect(holding, `the branches that hold ${path}`).not.toBe("");
    expect(gitIn(stack, place, "show", `${holding.split("\n")[0]}:${path}`)).toBe(text);
  }
  for (const { id, body } of said)
    expect(((await place.as("maya", "GET", `/issues/comments/${id}`)) as { body: string }).body).toBe(body);
  const requests = stack.model
    .requests()
    .map(({ body }) => JSON.stringify(body))
    .filter((text) => text.includes(place.repository));
  for (const { text, issue, isStopped } of wishes) {
    const isKnown = requests.some((request) => request.includes(text));
    const isSaid =
      isStopped && (await place.comments(issue)).some(({ body }) => /not begun: |was not begun/.test(body));
    expect(isKnown || isSaid, text).toBe(true);
  }
  for (const { number, body } of issues) {
    const issue = (await place.as("maya", "GET", `/issues/${number}`)) as { title: string; body: string };
    expect(issue.body).toBe(body);
    const own = branchesOf(stack, place, number);
    expectRequirement(stack, place, { issue: number, branches: own });
    for (const { line } of lines.filter((one) => one.issue === number)) {
      const documents = own.flatMap((branch) =>
        listOf(stack, place, branch, "requirements/in-progress")
          .filter((path) => path.endsWith("/requirement.md") && path.includes(`/REQ-${number}-`))
          .map((path) => gitIn(stack, place, "show", `${branch}:${path}`)),
      );
      expect(
        documents.some((text) => text.includes(line)),
        line,
      ).toBe(true);
    }
  }
  expect(heads.length).toBeGreaterThanOrEqual(issues.length);
}

function expectRequirement(
  stack: Stack,
  place: Place,
  { issue, branches }: { issue: number; branches: readonly string[] },
): void {
  const [branch = ""] = branches;
  const id = `REQ-${issue}`;
  const events = parseEvents(treeOf(stack, place, branch, `requirements/events/${id}`), id);
  expect(events.problems).toEqual([]);
  const folded = foldState(events.events);
  expect(folded).toMatchObject({ state: "in-review", problems: [] });

  const list = listOf(stack, place, branch, "requirements/in-progress").find(
    (path) => path.endsWith("/tasks.md") && path.includes(`/${id}-`),
  );
  const tasks = parseTasks(gitIn(stack, place, "show", `${branch}:${list ?? ""}`));
  const commits = gitIn(stack, place, "log", "--format=%s", ...branches, "--not", "main")
    .trim()
    .split("\n");
  const files = listOf(stack, place, branch, "src");
  expect(tasks.length).toBeGreaterThan(0);
  for (const task of tasks) {
    expect(task, "a task of the plan").toMatchObject({ done: true });
    const times = commits.filter((subject) => subject.startsWith(`${task.id}: `)).length;
    expect(times, `commits of ${task.id}`).toBe(1);
    expect(files).toContain(`src/${id}-${task.id}.js`);
  }
}

/** After everything was merged: each requirement is filed and its bill in git is what the ledger says. */
export function expectFiled(stack: Stack, { place, issues, commits }: Story): void {
  for (const { number } of issues) {
    const id = `REQ-${number}`;
    const { events, problems } = parseEvents(treeOf(stack, place, "main", `requirements/events/${id}`), id);
    expect(problems).toEqual([]);
    expect(foldState(events)).toMatchObject({ state: "completed", problems: [] });
    const micro = events
      .flatMap((event) => (event.type === "cost" ? event.rows : []))
      .reduce((sum, row) => sum + (row.micro_usd ?? 0), 0);
    expect(micro).toBeCloseTo(ledgerOf(stack, { place, requirement: id }).nanoUsd / 1000, 6);
  }
  for (const { path, text } of commits) expect(gitIn(stack, place, "show", `main:${path}`)).toBe(text);
  expect(listOf(stack, place, "main", "requirements/in-progress")).toEqual([]);
}

/** What the ledger holds, of one requirement or of all; calls whose end nobody saw are `estimated`. */
export function ledgerOf(
  stack: Stack,
  of?: { place: Place; requirement: string },
): Paid & { calls: number; estimated: number; nanoUsd: number } {
  const db = new Database(join(stack.data, "accrue.db"), { readonly: true });
  const told = "estimated = 0 and (wasted = 0 or input + cache_read + cache_write + output > 0)";
  const sum = (column: string) => `coalesce(sum(${column}) filter (where ${told}), 0)`;
  try {
    const sql = `select ${sum("calls")} as calls, ${sum("input")} as input, ${sum("cache_read")} as cacheRead,
      ${sum("cache_write")} as cacheWrite, ${sum("output")} as output, coalesce(sum(cost_nano_usd), 0) as nanoUsd,
      coalesce(sum(calls) filter (where estimated = 1), 0) as estimated
      from ledger_entries where ? = '' or (owner || '/' || name = ? and requirement = ?)`;
    const name = of?.place.repository ?? "";
    return db.prepare(sql).get(name, name, of?.requirement ?? "") as ReturnType<typeof ledgerOf>;
  } finally {
    db.close();
  }
}

export function branchesOf(stack: Stack, place: Place, issue: number): string[] {
  return gitIn(stack, place, "for-each-ref", "--format=%(refname:short)", "refs/heads/agent/")
    .split("\n")
    .filter((name) => new RegExp(`^agent/REQ-${issue}-`).test(name));
}

export function listOf(stack: Stack, place: Place, revision: string, folder: string): string[] {
  return gitIn(stack, place, "ls-tree", "-r", "--name-only", revision, `${folder}/`)
    .split("\n")
    .filter(Boolean);
}

function treeOf(stack: Stack, place: Place, revision: string, folder: string): Map<string, string> {
  return new Map(
    listOf(stack, place, revision, folder).map((path) => [
      path,
      gitIn(stack, place, "show", `${revision}:${path}`),
    ]),
  );
}

export function gitIn(stack: Stack, place: Place, ...args: string[]): string {
  const folder = join(stack.data, "..", "git", `${place.repository}.git`);
  return execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" });
}
