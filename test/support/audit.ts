// What has to be true of a requirement that went its whole way, however often everything was killed on it.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import type { Paid } from "./model-gate.js";
import type { Pull, Stack } from "./stack.js";

interface CostEvent {
  type: string;
  run: string;
  rows: {
    input: number;
    cache_read: number;
    cache_write: number;
    output: number;
    calls: number;
    micro_usd: number;
  }[];
}

const marks = (comments: { body: string }[], kind: string) =>
  comments.filter(({ body }) => body.includes(`<!-- accrue:${kind}`));

/** Git's own view of the forge's repository. */
export function gitOf(stack: Stack, ...args: string[]): string {
  return execFileSync("git", ["-C", join(stack.data, "..", "git", `${stack.repository}.git`), ...args], {
    encoding: "utf8",
  });
}

/** What the ledger says that the provider told of a requirement's calls, and in nano-dollars all that was booked, guesses for cut-off calls included. */
export function booked(stack: Stack, requirement: string): Paid & { calls: number; nanoUsd: number } {
  const db = new Database(join(stack.data, "accrue.db"), { readonly: true });
  try {
    const sql = `select sum(calls) as calls, sum(input) as input, sum(cache_read) as cacheRead, sum(cache_write) as cacheWrite,
      sum(output) as output, sum(cost_nano_usd) as nanoUsd from ledger_entries
      where requirement = ? and estimated = 0 and (wasted = 0 or input + cache_read + cache_write + output > 0)`;
    return db.prepare(sql).get(requirement) as ReturnType<typeof booked>;
  } finally {
    db.close();
  }
}

/**
 * Asserts that everything is booked that the model was paid for; what a kill cut off before it was read, where tasks run side by side,
 * is booked as a guess.
 */
export function expectBilled(stack: Stack, requirement: string, paid: ReturnType<typeof sumOf>): void {
  const exact = booked(stack, requirement);
  for (const key of ["calls", "input", "cacheRead", "cacheWrite", "output"] as const)
    expect(exact[key], key).toBeLessThanOrEqual(paid[key]);
  const db = new Database(join(stack.data, "accrue.db"), { readonly: true });
  try {
    const sql = "select coalesce(sum(calls), 0) from ledger_entries where requirement = ? and estimated = 1";
    const guessed = db.prepare(sql).pluck().get(requirement) as number;
    expect(exact.calls + guessed).toBeGreaterThanOrEqual(paid.calls);
  } finally {
    db.close();
  }
}

/** Adds up what a model was paid for. */
export function sumOf(paid: readonly Paid[]): Paid & { calls: number } {
  const total = { calls: paid.length, input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  for (const one of paid)
    for (const key of ["input", "cacheRead", "cacheWrite", "output"] as const) total[key] += one[key];
  return total;
}

/** Asserts that everything about an issue's requirement is there exactly once, and gives its pull request. */
export async function expectDoneOnce(stack: Stack, issue: number, main: string): Promise<Pull> {
  const pulls = (await stack.pulls("all")).filter(
    ({ body }) =>
      body.includes(`Closes #${issue}\n`) ||
      body.includes(`Closes #${issue} `) ||
      body.endsWith(`Closes #${issue}`),
  );
  expect(pulls.map(({ state, draft }) => ({ state, draft }))).toEqual([{ state: "open", draft: true }]);
  const [pull] = pulls as [Pull];

  const { check_runs: checks } = (await stack.as("maya", "GET", `/commits/${pull.head.sha}/check-runs`)) as {
    check_runs: { status: string; conclusion: string | null }[];
  };
  expect(checks).toMatchObject([{ status: "completed", conclusion: "success" }]);

  const [onIssue, onPull] = [await stack.comments(issue), await stack.comments(pull.number)];
  expect({
    status: marks(onIssue, "status").length,
    bill: marks(onIssue, "bill").length,
    all: onIssue.length,
  }).toEqual({ status: 1, bill: 1, all: 2 });
  expect({ bill: marks(onPull, "bill").length, all: onPull.length }).toEqual({ bill: 1, all: 1 });

  const subjects = gitOf(stack, "log", "--format=%s", `main..${pull.head.ref}`).trim().split("\n");
  for (const task of ["T1", "T2", "T3"])
    expect(subjects.filter((subject) => subject.startsWith(`${task}: `))).toHaveLength(1);
  expect(subjects.filter((subject) => subject.startsWith("Merge"))).toEqual([]);
  expect(gitOf(stack, "rev-parse", "main").trim()).toBe(main);

  const requirement = `REQ-${issue}`;
  const paths = gitOf(
    stack,
    "ls-tree",
    "-r",
    "--name-only",
    pull.head.ref,
    `requirements/events/${requirement}/`,
  )
    .trim()
    .split("\n");
  const events = paths.map(
    (path) => JSON.parse(gitOf(stack, "show", `${pull.head.ref}:${path}`)) as CostEvent,
  );
  const costs = events.filter(({ type }) => type === "cost");
  expect(costs).toHaveLength(1);
  const micro = costs.flatMap(({ rows }) => rows).reduce((sum, row) => sum + row.micro_usd, 0);
  expect(micro).toBeCloseTo(booked(stack, requirement).nanoUsd / 1000, 6);
  return pull;
}
