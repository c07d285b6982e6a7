import { clipMiddle } from "../../shared/index.js";
import { headline, show } from "../board.js";
import { callAgent } from "../call-agent.js";
import { codeDiff } from "../code.js";
import { commitAt } from "../commit-service.js";
import { type Halt, haltOf } from "../ends.js";
import { asMaterial } from "../material.js";
import { ReviewOutput, TaskReport } from "../outputs.js";
import { reachOf } from "../reach.js";
import { type Finding, joinFindings } from "../review-findings.js";
import { type Site, fullName, sitesOf } from "../site.js";
import { isBeyond } from "../state.js";
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
  let isChanged = false;
  for (const site of sitesOf(run)) {
    const change = await codeDiff(site);
    if ((change.match(CHANGED_LINE) ?? []).length < least) continue;
    await show(run, { headline: headline("review", run.language) }, true);
    const end = await reviewSite(run, site, change, signal);
    if (typeof end !== "boolean") return end;
    isChanged ||= end;
  }
  return isChanged ? validateResult(run, signal) : null;
}

/** Has the change in one repository reviewed and what is blocking put right; true when that changed it. */
async function reviewSite(
  run: Run,
  site: Site,
  change: string,
  signal: AbortSignal,
): Promise<Halt | boolean> {
  const findings = await review(run, site, change, signal);
  const blocking = findings.filter(({ severity }) => severity === "blocking");
  site.findings = findings.filter(({ severity }) => severity !== "blocking");
  if (blocking.length === 0) return false;
  const before = await site.workspace.head();
  const halt = await amend(run, site, blocking, signal);
  if (halt) return halt;
  const isChanged = (await site.workspace.head()) !== before;
  // Left as they were, people decide about them.
  if (!isChanged) site.findings = [...blocking, ...site.findings];
  return isChanged;
}

async function review(run: Run, site: Site, change: string, signal: AbortSignal): Promise<Finding[]> {
  const reach = await reachOf(site, signal);
  const text = run.skills.prompt("task-review", {
    requirement: run.requirement,
    repository: fullName(site.repository),
    document: asMaterial(run.documents.requirement),
    change: asMaterial(clipMiddle(change, MAX_CHANGE_CHARACTERS)),
    reach: reach && reach.files.length > 0 ? [...reach.files, ...reach.tests].join(", ") : "nothing else",
  });
  const reviews = await Promise.all(
    run.settings.agent.reviewers.map(async (name) => {
      const agent = `reviewer-${name}`;
      const task = [`review-${name}`, site.service].filter(Boolean).join("-");
      const call = { agent, phase: "validate", task, site, text, output: ReviewOutput };
      const end = await callAgent(run, call, signal);
      // A review that did not come never holds up what the checks have passed: it is said.
      if (end.reason !== "GOAL") run.board.notices.push(`${agent} ended with ${end.reason}`);
      return { by: name, findings: end.output?.findings ?? [] };
    }),
  );
  return joinFindings(reviews, await changedFiles(site));
}

async function amend(
  run: Run,
  site: Site,
  findings: readonly Finding[],
  signal: AbortSignal,
): Promise<Halt | null> {
  const list = findings.map(
    ({ path, line, title, why, by }) => `- ${path}:${line} ${title} (${by.join(", ")}): ${why}`,
  );
  const text = run.skills.prompt("task-amend", {
    requirement: run.requirement,
    repository: fullName(site.repository),
    findings: asMaterial(list.join("\n")),
    document: asMaterial(run.documents.requirement),
    changed: (await changedFiles(site)).join(", "),
  });
  const call = {
    agent: "implementation-executor",
    phase: "validate",
    task: ["amend", site.service].filter(Boolean).join("-"),
    site,
    text,
    output: TaskReport,
    kind: "fix" as const,
  };
  const end = await callAgent(run, call, signal);
  const halt = haltOf("The fix of the review", end);
  if (halt || !end.output) return halt;
  return commitAt(
    run,
    site,
    `Review: ${end.output.summary.split("\n")[0]?.slice(0, 60) ?? "put right"}`,
    signal,
  );
}
