// A project that rounds wrongly, a person's pull request that puts it right, and what a scripted agent writes for it.
import { readFileSync } from "node:fs";
import type { CheckRun, Place } from "./place.js";
import { type Stack, readFolder, until } from "./stack.js";

export const call = (tool: string, input: object) => ({ tool, input });
const end = { call: [call("complete_task", { summary: "It is written.", evidence: [] })] };
export const write = (path: string, content: string) => ({ call: [call("write_file", { path, content })] });
export const rewrite = (path: string, content: string) => [
  { call: [call("read_file", { path })] },
  write(path, content),
];

const NEEDS = "Your job: one task";
const OF_TESTS = `${NEEDS}, of tests`;
export const asksFor = (words: string) => `<comment>\n${words}`;
export const step = (name: string, taskContains: string[], turns: object[]) => ({
  name,
  when: { systemContains: name.startsWith("test") ? OF_TESTS : NEEDS, taskContains },
  turns: [...turns, end],
});

/** What else the tiny project's model says. */
export const TINY_STEPS = JSON.parse(
  readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
) as object[];

const BAD = "export const euros = (cents) => (Math.trunc(cents) / 100).toFixed(2);\n";
export const FIXED = "export const euros = (cents) => (Math.round(cents) / 100).toFixed(2);\n";
export const FILES: Record<string, string> = {
  ...readFolder("test/fixtures/tiny/"),
  "src/euros.js": BAD,
  ".github/agent.yml": "agent:\n  reviewers: []\n",
};

/** Model requests of one place that were answered, by scenario and turn. */
export const names = (stack: Stack, { repository }: Pick<Place, "repository">) =>
  stack.model
    .requests()
    .filter(({ body }) => JSON.stringify(body).includes(`\`${repository}\``))
    .map(({ matched }) => matched ?? "");

/** A person's pull request that puts the rounding right, and what was said on it. */
export async function fixPull(
  stack: Stack,
  place: Place,
  files: Record<string, string> = {
    "src/euros.js": FIXED,
    "test/rounding.test.js": "import 'node:test';\n",
    "src/rounding.js": FIXED,
  },
  title = "Round half a cent up",
) {
  await stack.forge.control.commit({
    repository: place.repository,
    branch: "round",
    from: "main",
    files,
    message: "Round half a cent up",
    login: "maya",
  });
  const { number } = (await place.as("maya", "POST", "/pulls", {
    title,
    head: "round",
    base: "main",
  })) as { number: number };
  const answer = (count = 1) =>
    until("the answer", async () => {
      const replies = await place.replies(number);
      return replies.length >= count ? replies.at(-1) : null;
    });
  const log = async () =>
    (await place.as("maya", "GET", "/commits?sha=round")) as { sha: string; commit: { message: string } }[];
  const check = async () => {
    const [{ sha } = { sha: "" }] = await log();
    const path = `/commits/${sha}/check-runs`;
    return ((await place.as("maya", "GET", path)) as { check_runs: CheckRun[] }).check_runs[0];
  };
  return { number, answer, log, check };
}
