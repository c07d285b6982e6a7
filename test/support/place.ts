// One more repository on a running stack, so that tests with different settings share one server.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/db/index.js";
import type { NewRepository } from "../../src/forge/index.js";
import { type Queue, createQueue } from "../../src/queue/index.js";
import {
  type Pull,
  type Stack,
  type StackOptions,
  readFolder,
  startStack,
  until,
  withBody,
} from "./stack.js";

export type Person = "maya" | "otto";
export type Said = { id: number; body: string; user: { login: string } | null };

export interface CheckRun {
  id: number;
  status: string;
  conclusion: string | null;
  output: { title: string; summary: string };
}

export interface PlaceOptions {
  /** Default: the tiny project. Null: a repository without commits. */
  files?: Record<string, string> | null;
  /** `.github/agent.yml`. */
  config?: string;
  repository?: Partial<NewRepository>;
}

export interface Place {
  /** `acme/<name>`. */
  repository: string;
  as(person: Person, method: string, path: string, body?: unknown): Promise<unknown>;
  openIssue(title: string, body?: string | null, label?: string | null): Promise<number>;
  /** Posts a comment and waits until its delivery was decided; gives what the queue recorded. */
  say(number: number, body: string, person?: Person): Promise<string>;
  comments(number: number): Promise<Said[]>;
  /** The bot's answers on a thread, oldest first. */
  replies(number: number): Promise<string[]>;
  /** The status comment, or an empty text. */
  status(issue: number): Promise<string>;
  /** Waits until the first line of the status comment begins with one of these signs and holds `words`. */
  ended(issue: number, words?: string, signs?: string): Promise<string>;
  pulls(state?: "open" | "all"): Promise<Pull[]>;
  pullOf(issue: number): Promise<Pull>;
  /** The check runs on the head of a requirement's branch, oldest first. */
  checks(issue: number): Promise<CheckRun[]>;
  /** A person with write permission presses a button of the newest check on it. */
  press(issue: number, button: string): Promise<void>;
  files(path: string, ref?: string): Promise<string[]>;
  read(path: string, ref?: string): Promise<string>;
  /** Marks the draft as ready and merges it. */
  merge(number: number): Promise<void>;
}

const TINY = readFolder("test/fixtures/tiny/");

/** A stack whose model plays the tiny scenario: one task, five model calls. */
export function startTinyStack(options: Partial<StackOptions> = {}): Promise<Stack> {
  return startStack({
    files: TINY,
    scenarios: readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
    ...options,
  });
}

/** What the queue recorded about the delivery that a predicate finds, once it was decided. */
export async function outcomeOf(
  stack: Stack,
  isIt: (delivery: { event: string; action: string | null; payload: unknown }) => boolean,
): Promise<string> {
  const { guid } = await until("a delivery", async () => stack.forge.control.deliveries().findLast(isIt));
  return until(
    `the outcome of ${guid}`,
    async () => recorded(stack).find(({ delivery }) => delivery === guid)?.outcome,
  );
}

/** How many jobs wait, run, are done, have failed. */
export function jobs(stack: Stack): ReturnType<Queue["counts"]> {
  return withQueue(stack, (queue) => queue.counts());
}

/** The newest decided deliveries. */
export function recorded(
  stack: Stack,
): { delivery: string; event: string; action: string | null; outcome: string }[] {
  return withQueue(stack, (queue) => queue.recent(500));
}

function withQueue<T>(stack: Stack, look: (queue: Queue) => T): T {
  const db = openDatabase(join(stack.data, "accrue.db"));
  const clock = { now: () => Date.now() };
  try {
    return look(createQueue(db, { clock, newId: () => "none" }, { leaseMs: 10_000, maxAttempts: 5 }));
  } finally {
    db.close();
  }
}

/** Model requests that were answered for a requirement, by the scenario and turn that fitted. */
export function asked(stack: Stack, requirement: string): string[] {
  return stack.model
    .requests()
    .filter(({ body, matched }) => matched !== null && JSON.stringify(body).includes(requirement))
    .map(({ matched }) => matched ?? "");
}

let count = 0;

export async function newPlace(stack: Stack, options: PlaceOptions = {}): Promise<Place> {
  const name = options.repository?.name ?? `place-${++count}`;
  const base = options.files === undefined ? TINY : options.files;
  const files = base && {
    ...base,
    ...(options.config === undefined ? {} : { ".github/agent.yml": options.config }),
  };
  await stack.forge.control.addRepository({
    owner: "acme",
    name,
    collaborators: { maya: "write", otto: "read" },
    ...(files ? { files } : {}),
    ...options.repository,
  });
  return placeOf(stack, `acme/${name}`);
}

/** A repository of the stack as its people use it. */
export function placeOf(stack: Stack, repository: string): Place {
  async function as(person: Person, method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${stack.forge.apiUrl}/repos/${repository}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${stack.tokens[person]}`,
        "user-agent": "test",
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} gave ${response.status}: ${text}`);
    return text ? JSON.parse(text) : null;
  }

  async function comments(number: number): Promise<Said[]> {
    const all: Said[] = [];
    for (let page = 1; ; page++) {
      const some = (await as(
        "maya",
        "GET",
        `/issues/${number}/comments?per_page=100&page=${page}`,
      )) as Said[];
      all.push(...some);
      if (some.length < 100) return all;
    }
  }

  const place: Place = {
    repository,
    as,
    openIssue: async (title, body = null, label = "agent") => {
      const { number } = (await as("maya", "POST", "/issues", withBody(title, body))) as { number: number };
      if (label !== null) await as("maya", "POST", `/issues/${number}/labels`, { labels: [label] });
      return number;
    },
    say: async (number, body, person = "maya") => {
      const { id } = (await as(person, "POST", `/issues/${number}/comments`, { body })) as { id: number };
      return outcomeOf(
        stack,
        ({ event, payload }) =>
          event === "issue_comment" && (payload as { comment?: { id: number } }).comment?.id === id,
      );
    },
    comments,
    replies: async (number) =>
      (await comments(number)).map(({ body }) => body).filter((body) => body.startsWith("<!-- accrue:reply")),
    status: async (issue) =>
      (await comments(issue)).find(({ body }) => body.includes("<!-- accrue:status"))?.body ?? "",
    ended: (issue, words = "", signs = "✅❌⏸") =>
      until(`the end of #${issue}${words ? ` with ${words}` : ""}`, async () => {
        const text = await place.status(issue);
        const line = text.split("\n").find((candidate) => /^[✅❌⏸⏳]/u.test(candidate)) ?? "";
        return line !== "" && signs.includes(line[0] ?? "") && line.includes(words) ? text : null;
      }),
    pulls: async (state = "open") =>
      (await as("maya", "GET", `/pulls?state=${state}&per_page=100`)) as Pull[],
    pullOf: async (issue) => {
      const found = (await place.pulls("all")).find(({ head }) =>
        new RegExp(`REQ-${issue}(-|$)`).test(head.ref),
      );
      if (!found) throw new Error(`there is no pull request of #${issue}`);
      return found;
    },
    checks: async (issue) => {
      const refs = (await as("maya", "GET", `/git/matching-refs/heads/agent/REQ-${issue}-`)) as {
        object: { sha: string };
      }[];
      const path = `/commits/${refs[0]?.object.sha}/check-runs?filter=all`;
      const { check_runs: runs } = (await as("maya", "GET", path)) as { check_runs: CheckRun[] };
      return runs.toSorted((a, b) => a.id - b.id);
    },
    press: async (issue, button) => {
      const checkRun = (await place.checks(issue)).at(-1)?.id ?? 0;
      stack.forge.control.pressCheck({ repository, checkRun, login: "maya", button });
    },
    files: async (path, ref = "") => {
      const found = (await as(
        "maya",
        "GET",
        `/contents/${path}${ref ? `?ref=${encodeURIComponent(ref)}` : ""}`,
      )) as { name: string }[];
      return found.map(({ name }) => name);
    },
    read: async (path, ref = "") => {
      const found = (await as(
        "maya",
        "GET",
        `/contents/${path}${ref ? `?ref=${encodeURIComponent(ref)}` : ""}`,
      )) as { content: string };
      return Buffer.from(found.content, "base64").toString("utf8");
    },
    merge: async (number) => {
      const { node_id: id, draft } = (await as("maya", "GET", `/pulls/${number}`)) as Pull;
      if (draft) {
        await fetch(`${stack.forge.url}/api/graphql`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${stack.tokens.maya}`,
            "user-agent": "test",
            "content-type": "application/json",
          },
          body: JSON.stringify({
            query: `mutation { markPullRequestReadyForReview(input: { pullRequestId: "${id}" }) { clientMutationId } }`,
          }),
        });
      }
      await as("maya", "PUT", `/pulls/${number}/merge`, {});
    },
  };
  return place;
}
