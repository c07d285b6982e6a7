import { sha256 } from "../../shared/index.js";
import { recordCosts } from "../books.js";
import { baselineOf } from "../observe-base.js";
import type { Halt } from "../ends.js";
import { baseCopy } from "../proof/base-copy.js";
import type { Proved } from "../proof/judge.js";
import { type Written, prove } from "../proof/prove.js";
import { readOrNothing } from "../read-or-nothing.js";
import { ownRequirement } from "../requirement-branch.js";
import { commitAndPush } from "../state.js";
import type { Run } from "../types.js";
import { equip } from "./prepare.js";
import { observeResult } from "./validate.js";
import { writeRequested } from "./write-requested.js";

/** The commits of a branch among which the run's own is looked for after a crash. */
const MAX_COMMITS = 20;

/** Sets the pull request's branch up to be worked on. */
export async function prepareRequest(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const { isNew, branch } = run.workspace;
  if (isNew) {
    const reason = run.language === "zh" ? `分支 ${branch} 已不存在。` : `The branch ${branch} is gone.`;
    return { state: "failed", outcome: "not-run", reason };
  }
  // Before anything is paid for.
  run.deps.model(run.settings).check();
  await equip(run, signal);
  return null;
}

/**
 * One task: an agent writes the test or rule, and it is run on the code before the pull request's change and on the branch. What
 * proves nothing goes back up to the limit. Only what is proved is committed and pushed.
 */
export async function fulfilRequest(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const done = await ownCommit(run);
  const halt = done ? await proveAgain(run, done, signal) : await tryToProve(run, signal);
  if (halt) return halt;
  const { proof, workspace, board, requirement } = run;
  if (proof?.verdict !== "proved") {
    // Words of ours say it to people; this one is for the record.
    const reason = `not proved: ${proof?.verdict ?? "nothing"}`;
    return { state: "paused", outcome: "failed", reason };
  }
  // A person's own branch is no place for our books.
  if (ownRequirement(workspace.branch, run.settings.branch) !== null && !done) await recordCosts(run);
  const what =
    run.ask.intent.kind === "change" && run.ask.intent.proof === "lint" ? "Rule" : "Regression test";
  const pushed = await commitAndPush(run, `${what}: ${subjectOf(proof)}`, signal);
  if (pushed) return pushed;
  if (proof.good) proof.good.sha = await workspace.head();
  board.branch ??= workspace.branch;
  run.deps.log.info({ requirement, run: run.id }, "a small request was proved");
  return null;
}

/** All checks on the new head: what was pushed must not be the first thing that nobody checked. */
export async function checkRequest(run: Run, signal: AbortSignal): Promise<Halt | null> {
  await observeResult(run, signal);
  // What the base shows is worth its time only where something has to be explained.
  if (run.validation?.outcome === "failed" && run.baseline === null) {
    run.baseline = await baselineBeside(run, signal);
    await observeResult(run, signal);
  }
  return null;
}

/** What all checks say of the untouched base, while the checkout stands on a branch. */
async function baselineBeside(run: Run, signal: AbortSignal): Promise<Run["baseline"]> {
  const { mirror, baseSha, head } = run.workspace;
  const copy = await baseCopy(run, await mirror.changes(baseSha, await head()), signal);
  try {
    return await baselineOf(run, run, { place: copy, isUntouched: true }, signal);
  } finally {
    await copy.close();
  }
}

async function tryToProve(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const tries = run.settings.agent.retry_limit;
  let seen = "";
  for (let attempt = 0; attempt <= tries; attempt++) {
    const halt = await writeRequested(run, { attempt, last: run.proof }, signal);
    if (halt) {
      // What the last try showed is not why it ends.
      run.proof = null;
      return halt;
    }
    const files = await run.workspace.changes();
    const proof = await prove(run, { files, from: await run.workspace.head() }, signal);
    const now = await fingerprint(run);
    // Who leaves it as it was after being told means it: then the code is what is wrong.
    const isLeft = proof.verdict === "fails" && now === seen;
    run.proof = isLeft ? { ...proof, verdict: "open" } : proof;
    if (run.proof.verdict === "proved" || run.proof.verdict === "open") return null;
    seen = now;
  }
  return null;
}

async function proveAgain(run: Run, done: Written, signal: AbortSignal): Promise<null> {
  run.proof = await prove(run, done, signal);
  return null;
}

/** What an earlier try of this run committed; null when it did not get that far. */
async function ownCommit({ workspace, id }: Run): Promise<Written | null> {
  const { mirror } = workspace;
  const commits = await mirror.history(await workspace.head(), MAX_COMMITS);
  const at = commits.findIndex(({ message }) => message.includes(`run ${id}`));
  const own = commits[at];
  if (!own) return null;
  const from = commits[at + 1]?.sha ?? workspace.baseSha;
  return { files: await mirror.changes(from, own.sha), from };
}

/** What stands in the files that were written. */
async function fingerprint({ workspace }: Run): Promise<string> {
  const parts: string[] = [];
  for (const { path } of await workspace.changes())
    parts.push(path, (await readOrNothing(workspace.files, path))?.toString("base64") ?? "");
  return sha256(JSON.stringify(parts));
}

/** The files that were written, as the subject of a commit. */
function subjectOf({ paths }: Proved): string {
  return paths.join(", ").slice(0, 60);
}
