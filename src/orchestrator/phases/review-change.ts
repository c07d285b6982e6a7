import { clipMiddle } from "../../shared/index.js";
import { headline, show } from "../board.js";
import { callAgent } from "../call-agent.js";
import { onlyCode } from "../code.js";
import { type Halt, haltOf } from "../ends.js";
import { asMaterial } from "../material.js";
import { ReviewOutput, TaskReport } from "../outputs.js";
import { reachOf } from "../reach.js";
import { type Finding, joinFindings } from "../review-findings.js";
import { commitAndPush, isBeyond } from "../state.js";
import type { Run } from "../types.js";
import { changedFiles, validateResult } from "./validate.js";

const MAX_CHANGE_CHARACTERS = 40_000;
const CHANGED_LINE = /^[+-](?![+-]{2} )/gm;

/**
 * Fresh reviewers look at the change side by side, without knowing why it was made so. What must not be merged goes back to the
 * executor once; what is left is shown to people. Small changes are left to the checks and to people.
 */
export async function reviewChange(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const { reviewers, review_from: least } = run.settings.agent;
  if (reviewers.length === 0 || run.validation?.outcome !== "passed" || isBeyond(run, "implement"))
    return null;
  const change = await changeOf(run);
  if ((change.match(CHANGED_LINE) ?? []).length < least) return null;
  await show(run, { headline: headline("review", run.language) }, true);
  const findings = await review(run, change, signal);
  const blocking = findings.filter(({ severity }) => severity === "blocking");
  run.findings = findings.filter(({ severity }) => severity !== "blocking");
  if (blocking.length === 0) return null;
  const before = await run.workspace.head();
  const halt = await amend(run, blocking, signal);
  if (halt) return halt;
  const isChanged = (await run.workspace.head()) !== before;
  // Left as they were, people decide about them.
  if (!isChanged) run.findings = [...blocking, ...run.findings];
  return isChanged ? validateResult(run, signal) : null;
}

async function changeOf({ workspace }: Run): Promise<string> {
  return onlyCode(await workspace.mirror.diff(workspace.baseSha, await workspace.head()));
}

async function review(run: Run, change: string, signal: AbortSignal): Promise<Finding[]> {
  const reach = await reachOf(run, signal);
  const text = run.skills.prompt("task-review", {
    requirement: run.requirement,
    repository: `${run.ask.repository.owner}/${run.ask.repository.name}`,
    document: asMaterial(run.documents.requirement),
    change: asMaterial(clipMiddle(change, MAX_CHANGE_CHARACTERS)),
    reach: reach && reach.files.length > 0 ? [...reach.files, ...reach.tests].join(", ") : "nothing else",
  });
  const reviews = await Promise.all(
    run.settings.agent.reviewers.map(async (name) => {
      const agent = `reviewer-${name}`;
      const call = { agent, phase: "validate", task: `review-${name}`, text, output: ReviewOutput };
      const end = await callAgent(run, call, signal);
      // A review that did not come never holds up what the checks have passed: it is said.
      if (end.reason !== "GOAL") run.board.notices.push(`${agent} ended with ${end.reason}`);
      return { by: name, findings: end.output?.findings ?? [] };
    }),
  );
  return joinFindings(reviews, await changedFiles(run));
}

async function amend(run: Run, findings: readonly Finding[], signal: AbortSignal): Promise<Halt | null> {
  const list = findings.map(
    ({ path, line, title, why, by }) => `- ${path}:${line} ${title} (${by.join(", ")}): ${why}`,
  );
  const text = run.skills.prompt("task-amend", {
    requirement: run.requirement,
    repository: `${run.ask.repository.owner}/${run.ask.repository.name}`,
    findings: asMaterial(list.join("\n")),
    document: asMaterial(run.documents.requirement),
    changed: (await changedFiles(run)).join(", "),
  });
  const call = {
    agent: "implementation-executor",
    phase: "validate",
    task: "amend",
    text,
    output: TaskReport,
    kind: "fix" as const,
  };
  const end = await callAgent(run, call, signal);
  const halt = haltOf("The fix of the review", end);
  if (halt || !end.output) return halt;
  return commitAndPush(
    run,
    `Review: ${end.output.summary.split("\n")[0]?.slice(0, 60) ?? "put right"}`,
    signal,
  );
}
