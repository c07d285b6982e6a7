import { isTestPath } from "../../codemap/index.js";
import {
  type Check,
  type Command,
  type QueryRule,
  detectCommands,
  observeBaseline,
  testsIn,
} from "../../validator/index.js";
import type { Files, Fork } from "../../workspace/index.js";
import { isBook } from "../code.js";
import { proofOf } from "../intent.js";
import type { Run } from "../types.js";
import { type Step, baseCopy, changedSources, undo } from "./base-copy.js";
import { type Judged, type Proved, type Sight, judge, lineOf } from "./judge.js";
import { findingsIn, rulesWritten } from "./lint-rules.js";

/** What was written for a small request, and the commit that it was written on. */
export interface Written {
  files: readonly Step[];
  from: string;
}

/** What is run for it, and what of a check's failures speaks of the code in question. */
interface Means {
  commands: readonly Command[];
  rules: readonly QueryRule[];
  /** Where queries look. */
  sources: readonly string[];
  find(check: Check): Check["failures"];
  /** True where what fails anyway has to be known. */
  needsBefore: boolean;
}

const MAX_DETAIL_FILES = 5;

/**
 * Runs what was written on the code before the pull request's change, where it has to fail, and on the branch, where it has to
 * pass. Contract: leaves the checkout as it is.
 */
export async function prove(run: Run, written: Written, signal: AbortSignal): Promise<Proved> {
  const sources = await changedSources(run.workspace, written.from);
  const paths = written.files.filter(({ status }) => status !== "deleted").map(({ path }) => path);
  const nothing = { paths, failing: [], bad: null, good: null };
  const foreign = foreignIn(run, written.files, sources);
  if (foreign.length > 0)
    return { ...nothing, verdict: "not-only", detail: foreign.slice(0, MAX_DETAIL_FILES).join(", ") };
  const means = await meansOf(run, written, sources);
  if (typeof means === "string") return { ...nothing, verdict: "nothing-written", detail: means };
  const good = await observe(run, run.workspace, means, signal);
  if (sources.length === 0) {
    const judged = judge({ before: [], bad: null, good }, means.find);
    return { ...judged, paths, bad: null, good: sightOf(good, written.from, judged) };
  }
  const { before, bad } = await onBase(run, { written, sources, means }, signal);
  const judged = judge({ before, bad, good }, means.find);
  return {
    ...judged,
    paths,
    bad: sightOf(bad, run.workspace.baseSha, judged),
    good: sightOf(good, written.from, { ...judged, failing: [] }),
  };
}

/** Files that a test or a rule has no business to change. */
function foreignIn(run: Run, files: readonly Step[], sources: readonly Step[]): string[] {
  const isOfChange = (path: string) => sources.some((source) => source.path === path);
  const isForeign = ({ path, status }: Step) =>
    proofOf(run.ask) === "test"
      ? status === "deleted" || (status === "modified" && !isTestPath(path))
      : isOfChange(path) && path !== ".github/agent.yml";
  return files.filter((step) => isBook(step.path) || isForeign(step)).map(({ path }) => path);
}

/** What is run, or in a sentence why there is nothing to run. */
async function meansOf(run: Run, written: Written, sources: readonly Step[]): Promise<Means | string> {
  const paths = written.files.filter(({ status }) => status !== "deleted").map(({ path }) => path);
  if (proofOf(run.ask) === "lint") {
    const rules = await rulesWritten(run, paths, written.from);
    if (typeof rules === "string") return rules;
    const fixed = sources.map(({ path }) => path);
    const find = (check: Check) => findingsIn(check, fixed);
    return { ...rules, sources: fixed, find, needsBefore: true };
  }
  const tests = paths.filter(isTestPath);
  if (tests.length === 0) return "";
  const { files } = run.workspace;
  const detected = await detectCommands(files, run.settings.validate);
  return {
    commands: testsIn(detected, { tests, paths: await files.list() }),
    rules: [],
    sources: [],
    find: ({ failures }) => failures,
    needsBefore: written.files.some(({ status }) => status !== "added"),
  };
}

/** The same on the base's sources: without what was written, where that tells something, and with it. */
async function onBase(
  run: Run,
  of: { written: Written; sources: readonly Step[]; means: Means },
  signal: AbortSignal,
): Promise<{ before: Check[]; bad: Check[] }> {
  const { written, sources, means } = of;
  const copy = await baseCopy(run, sources, signal);
  try {
    const bad = await observe(run, copy, means, signal);
    if (!means.needsBefore) return { before: [], bad };
    await undo(copy, written.files, { mirror: run.workspace.mirror, revision: written.from });
    return { before: await observe(run, copy, { ...means, rules: [] }, signal), bad };
  } finally {
    await copy.close();
  }
}

/** Queries look at whole files: which of their lines a change touches is not the question. */
async function observe(
  run: Run,
  { box, files }: Pick<Fork, "box"> & { files: Files },
  { commands, rules, sources }: Means,
  signal: AbortSignal,
): Promise<Check[]> {
  const { source } = run.code;
  const asked = rules.map((rule): QueryRule => ({ ...rule, only: "all" }));
  const there = new Set(await files.list());
  const changed = { ...files, list: () => Promise.resolve(sources.filter((path) => there.has(path))) };
  const ran = await observeBaseline({ box, files, commands, rules: [], source }, signal);
  const found = await observeBaseline({ box, files: changed, commands: [], rules: asked, source }, signal);
  return [...found.checks, ...ran.checks];
}

/** What people see of one place: the command that speaks of it, how it ended, and the line that says why. */
function sightOf(checks: readonly Check[], sha: string, { failing }: Pick<Judged, "failing">): Sight | null {
  const [first] = failing;
  const check =
    (first && checks.find(({ failures }) => failures.some(({ title }) => title === first.title))) ??
    checks.find(({ outcome }) => outcome === "failed") ??
    checks[0];
  if (!check) return null;
  const shown = first ?? check.failures[0];
  const counted = check.passed === null ? check.outcome : `${check.passed} passed`;
  const line = shown && check.outcome === "failed" ? lineOf(shown) : check.reason || counted;
  return { sha, command: check.command, exitCode: check.exitCode ?? null, line };
}
