import { clipMiddle } from "../../shared/index.js";
import {
  type Check,
  type Command,
  type Validation,
  detectCommands,
  validate,
} from "../../validator/index.js";
import { headline, setRow, show } from "../board.js";
import { callAgent } from "../call-agent.js";
import { changeKnowledge, patternChecks } from "../change-knowledge.js";
import { isBook } from "../code.js";
import { commitAt } from "../commit-service.js";
import { type Halt, haltOf } from "../ends.js";
import { collectEvidence } from "../evidence.js";
import { knowledgeAlone } from "../experience.js";
import { signaturesOf } from "../failure-log.js";
import { asMaterial } from "../material.js";
import { TaskReport } from "../outputs.js";
import { observeOnBase } from "../proof/base-copy.js";
import { isRepeated, noProgress } from "../progress.js";
import { joinChecked } from "../join-checked.js";
import { type Site, fullName, sitesOf } from "../site.js";
import type { Run } from "../types.js";

const MAX_FAILURE_CHARACTERS = 6000;
/** Failed tests of one command that are named before its output. */
const MAX_NAMED = 10;

/** Runs the checks on the result; failures go back to the executor up to the limit, then the result waits for a person. */
export async function validateResult(run: Run, signal: AbortSignal): Promise<Halt | null> {
  setRow(run.board, "validate", "active", "");
  await show(run, { headline: headline("validate", run.language) }, true);
  const tries = run.settings.agent.retry_limit;
  let result = await observeAll(run, tries === 0, signal);
  await isRepeated(run, result);
  for (let attempt = 1; result.outcome === "failed" && attempt <= tries; attempt++) {
    setRow(run.board, "validate", "active", `${result.reason} · ${attempt}/${tries}`);
    await show(run, {});
    for (const site of sitesOf(run)) {
      const halt = await sendBack(run, site, { attempt, tries, signal });
      if (halt) return halt;
    }
    result = await observeAll(run, attempt === tries, signal);
    if (await isRepeated(run, result)) return noProgress(run, result);
  }
  run.validation = result;
  run.evidence = await collectEvidence(run);
  const mark = result.outcome === "passed" ? "done" : result.outcome === "failed" ? "failed" : "paused";
  setRow(run.board, "validate", mark, result.reason);
  return null;
}

/** Runs all checks once, as the last word. */
export async function observeResult(run: Run, signal: AbortSignal): Promise<void> {
  run.checked = await observe(run, run, true, signal);
  run.validation = run.checked;
}

/** Runs the checks of all repositories, each in its own checkout. */
async function observeAll(run: Run, isFinal: boolean, signal: AbortSignal): Promise<Validation> {
  for (const site of sitesOf(run)) site.checked = await observe(run, site, isFinal, signal);
  const observed = await Promise.all(
    sitesOf(run).map(async (site) => ({ site, isTouched: (await changedFiles(site)).length > 0 })),
  );
  return joinChecked(observed);
}

/** Runs the checks; all tests where this is the last word, else those first that the change can reach. */
async function observe(run: Run, site: Site, isFinal: boolean, signal: AbortSignal): Promise<Validation> {
  const { workspace, settings, baseline, failures } = site;
  const { box, files, mirror, baseSha } = workspace;
  const changed = await mirror.changes(baseSha, await workspace.head());
  const detected = await detectCommands(files, settings.validate);
  // Pattern rules speak of the repository that they stand in.
  const patterns = site === run ? await patternChecks(run, await changedFiles(run)) : [];
  const commands = [...detected, ...patterns];
  const known = await changeKnowledge(site, signal);
  const onBase = (failed: readonly Command[]) => observeOnBase(site, failed, signal);
  const result = await validate({ box, files, commands, changed, known, baseline, isFinal, onBase }, signal);
  for (const check of result.checks) {
    const { partOf, outcome } = check;
    if (partOf === undefined) failures.checked(check);
    // That some tests pass says nothing about the others.
    else if (outcome === "failed") failures.checked({ ...check, command: partOf });
  }
  return result;
}

/** What fails in a repository goes back to an executor there. */
async function sendBack(
  run: Run,
  site: Site,
  round: { attempt: number; tries: number; signal: AbortSignal },
): Promise<Halt | null> {
  if (site.checked?.outcome !== "failed") return null;
  const failing = site.checked.checks.filter(({ outcome }) => outcome === "failed");
  const changed = await changedFiles(site);
  const code = await knowledgeAlone(
    run,
    "validate",
    { text: `${run.title}\n${errorsOf(failing)}`, paths: site === run ? changed : [] },
    round.signal,
  );
  const text = run.skills.prompt("task-fix", {
    requirement: run.requirement,
    repository: fullName(site.repository),
    attempt: String(round.attempt),
    tries: String(round.tries),
    failures: failing.map(failureText).join("\n\n"),
    knowledge: code.knowledge,
    design: asMaterial(run.documents.design),
    changed: changed.join(", "),
  });
  const call = {
    agent: "implementation-executor",
    phase: "validate",
    task: [`fix-${round.attempt}`, site.service].filter(Boolean).join("-"),
    site,
    text,
    code,
    output: TaskReport,
    kind: "fix" as const,
  };
  const end = await callAgent(run, call, round.signal);
  const halt = haltOf(`fix ${round.attempt}`, end);
  if (halt || !end.output) return halt;
  return commitAt(
    run,
    site,
    `Fix: ${end.output.summary.split("\n")[0]?.slice(0, 60) ?? "failing checks"}`,
    round.signal,
  );
}

/** A failed command: what is wrong in a sentence, the tests that fail, and its output. */
function failureText({ command, reason, failures, output }: Check): string {
  const named = failures.slice(0, MAX_NAMED).map(({ title, path, line, message }) => {
    const place = path === null ? "" : ` (${path}${line === null ? "" : `:${line}`})`;
    return `- ${title}${place}: ${message.split("\n")[0] ?? ""}`;
  });
  const said = asMaterial([...named, clipMiddle(output, MAX_FAILURE_CHARACTERS)].join("\n"));
  return `$ ${command}\n${reason}\n${said}`;
}

/** What failed, by what it can be known again by. */
function errorsOf(checks: readonly Check[]): string {
  return checks
    .flatMap(signaturesOf)
    .map(({ id, text }) => `${id} ${text}`)
    .join("\n");
}

/** Paths that the branch changes in a repository, knowledge and requirement files left aside. */
export async function changedFiles({ workspace }: Pick<Site, "workspace">): Promise<string[]> {
  const { mirror, baseSha } = workspace;
  const changes = await mirror.changes(baseSha, await workspace.head());
  return changes.map(({ path }) => path).filter((path) => !isBook(path));
}
