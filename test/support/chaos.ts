// Random stories of people, crashes and restarts around requirements.
import * as fc from "fast-check";
import { type InTurn, createTurns } from "../../src/shared/index.js";
import { type Place, jobs, newPlace } from "./place.js";
import { type Stack, until } from "./stack.js";
import { type Story, branchesOf, expectFiled, expectWhole, gitIn, listOf } from "./story-audit.js";

const ACTS = [
  "wish",
  "edit",
  "chatter",
  "redelivery",
  "crash",
  "restart",
  "commit",
  "document",
  "base",
  "second",
  "stop",
] as const;
const MAX_PAUSE_MS = 600;
const MAX_ROUNDS = 6;
const QUIET_MS = 90_000;

/** One thing that happens, after a pause. `pick` chooses between what there is. */
export interface Step {
  act: (typeof ACTS)[number];
  pauseMs: number;
  pick: number;
}

/** Stories that can be told again: the same seed, the same stories. */
export function stories(seed: number, count: number): Step[][] {
  const step = fc.record({
    act: fc.constantFrom(...ACTS),
    pauseMs: fc.nat(MAX_PAUSE_MS),
    pick: fc.nat(1000),
  });
  return fc.sample(fc.array(step, { minLength: 2, maxLength: 5 }), { seed, numRuns: count });
}

/** Lets stories happen side by side on one stack, each in a repository of its own, and asserts what has to be true of each. */
export async function tell(stack: Stack, told: readonly Step[][]): Promise<void> {
  const inTurn = createTurns();
  const all = await Promise.all(
    told.map(async (steps) => {
      const story = await begin(stack);
      for (const step of steps) {
        await new Promise((resolve) => setTimeout(resolve, step.pauseMs));
        await inTurn(() => happen(stack, story, step));
      }
      return story;
    }),
  );
  await finish(stack, all, inTurn);
  for (const [at, story] of all.entries()) await said(story, told[at], () => expectWhole(stack, story));
  for (const { place, issues } of all)
    for (const { number } of issues) await place.merge((await place.pullOf(number)).number);
  await quiet(stack);
  for (const [at, story] of all.entries()) await said(story, told[at], () => expectFiled(stack, story));
}

/** Says with a failure which story it is of. */
async function said(
  { place }: Story,
  steps: readonly Step[] = [],
  check: () => Promise<void> | void,
): Promise<void> {
  try {
    await check();
  } catch (error) {
    const acts = steps.map(({ act, pauseMs }) => `${pauseMs} ms, ${act}`).join("; ");
    throw new Error(`${place.repository} after: ${acts}\n${(error as Error).message}`, { cause: error });
  }
}

async function quiet(stack: Stack): Promise<void> {
  await stack.forge.control.settle();
  await until(
    "an empty queue",
    async () => {
      const { waiting, running } = jobs(stack);
      return waiting + running === 0;
    },
    QUIET_MS,
  );
}

async function begin(stack: Stack): Promise<Story> {
  const place = await newPlace(stack);
  const main = gitIn(stack, place, "rev-parse", "main").trim();
  const story: Story = { place, issues: [], wishes: [], said: [], commits: [], lines: [], main };
  await openIssue(story);
  return story;
}

async function openIssue({ place, issues }: Story): Promise<void> {
  const body = `Please, number ${issues.length + 1}.`;
  const number = await place.openIssue(`write file ${issues.length + 1}`, body);
  issues.push({ number, body });
}

async function happen(stack: Stack, story: Story, { act, pick }: Step): Promise<void> {
  const { place, issues, wishes, said, commits } = story;
  const issue = issues[pick % issues.length] ?? { number: 0, body: "" };
  const say = async (body: string) =>
    void said.push({ id: await comment(place, issue.number, body), issue: issue.number, body });
  switch (act) {
    case "wish":
      wishes.push({
        text: `wish ${wishes.length + 1} of ${place.repository}`,
        issue: issue.number,
        isStopped: false,
      });
      return say(`@agent also ${wishes.at(-1)?.text}`);
    case "chatter":
      return say("Nice weather today.");
    case "stop":
      for (const wish of wishes) wish.isStopped ||= wish.issue === issue.number;
      return say("@agent stop");
    case "edit":
      issue.body = `${issue.body}\nOne more line, ${pick}.`;
      return void (await place.as("maya", "PATCH", `/issues/${issue.number}`, { body: issue.body }));
    case "redelivery": {
      const own = stack.forge.control
        .deliveries()
        .filter(({ repository }) => repository === place.repository);
      const one = own[pick % Math.max(own.length, 1)];
      return one && stack.forge.control.redeliver(one.id);
    }
    case "crash":
      await stack.kill();
      return stack.startServer();
    case "restart":
      await stop(stack);
      return stack.startServer();
    case "second":
      return issues.length < 2 ? openIssue(story) : undefined;
    case "base":
      story.main = await commit(stack, story, {
        branch: "main",
        path: `base-${commits.length}.txt`,
        text: `${pick}\n`,
      });
      return undefined;
    case "commit":
    case "document":
      return onBranch(stack, story, { issue: issue.number, act, pick });
  }
}

/** A person works on the requirement's branch, once there is one. */
async function onBranch(
  stack: Stack,
  story: Story,
  { issue, act, pick }: { issue: number; act: "commit" | "document"; pick: number },
): Promise<void> {
  const { place, commits, lines } = story;
  const [branch] = branchesOf(stack, place, issue);
  if (branch === undefined) return;
  if (act === "commit") {
    await commit(stack, story, { branch, path: `own-${commits.length}.txt`, text: `mine ${pick}\n` });
    return;
  }
  const path = listOf(stack, place, branch, "requirements/in-progress").find(
    (name) => name.endsWith(`/requirement.md`) && name.includes(`/REQ-${issue}-`),
  );
  if (path === undefined) return;
  const line = `Slowly, says Maya, ${pick}.`;
  const text = gitIn(stack, place, "show", `${branch}:${path}`);
  await stack.forge.control.commit({
    repository: place.repository,
    branch,
    files: { [path]: `${text.trimEnd()}\n\n## Note ${lines.length + 1}\n\n${line}\n` },
    message: "A note",
    login: "maya",
  });
  lines.push({ issue, line });
}

async function commit(
  stack: Stack,
  { place, commits }: Story,
  { branch, path, text }: { branch: string; path: string; text: string },
): Promise<string> {
  const sha = await stack.forge.control.commit({
    repository: place.repository,
    branch,
    files: { [path]: text },
    message: `By hand: ${path}`,
    login: "maya",
  });
  commits.push({ sha, path, text });
  return sha;
}

async function comment(place: Place, issue: number, body: string): Promise<number> {
  return ((await place.as("maya", "POST", `/issues/${issue}/comments`, { body })) as { id: number }).id;
}

/** Ends server and worker as an operator would. */
async function stop(stack: Stack): Promise<void> {
  const [server = 0] = stack.pids();
  process.kill(server, "SIGTERM");
  await until("the server's end", async () => {
    try {
      process.kill(server, 0);
      return false;
    } catch {
      return true;
    }
  });
}

/** What was lost on its way is sent again, and whoever is asked for an answer gives it, until all is done. */
async function finish(stack: Stack, all: readonly Story[], inTurn: InTurn): Promise<void> {
  for (let round = 0; ; round += 1) {
    await inTurn(() => sendAgain(stack));
    await quiet(stack);
    const open: { place: Place; issue: number; status: string }[] = [];
    for (const { place, issues } of all)
      for (const { number } of issues) {
        const status = await place.status(number);
        if (!/^✅/mu.test(status)) open.push({ place, issue: number, status });
      }
    if (open.length === 0) return;
    if (round === MAX_ROUNDS) {
      const left = open.map(({ place, issue, status }) => `${place.repository}#${issue}: ${status}`);
      throw new Error(`not done after ${MAX_ROUNDS} rounds:\n${left.join("\n")}`);
    }
    for (const { place, issue } of open) await comment(place, issue, "@agent retry");
  }
}

async function sendAgain(stack: Stack): Promise<void> {
  const { control } = stack.forge;
  await control.settle();
  const last = new Map(control.deliveries().map((delivery) => [delivery.guid, delivery]));
  for (const { id, statusCode } of last.values())
    if (statusCode < 200 || statusCode > 299) await control.redeliver(id);
  await control.settle();
}
