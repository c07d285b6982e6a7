import { join } from "node:path";
import { detectCommands, observeBaseline, queryRules } from "../../validator/index.js";
import { type Workspace, setUp } from "../../workspace/index.js";
import { headline, show } from "../board.js";
import { isBook } from "../code.js";
import type { Halt } from "../ends.js";
import { resume } from "../state.js";
import { openToolbox } from "../toolbox.js";
import { broughtBy } from "../words.js";
import type { Run } from "../types.js";

/**
 * Sets up the target's dependencies and runs its checks on the untouched base, so that what was red before is said and not
 * blamed on the change.
 */
export async function prepare(run: Run, signal: AbortSignal): Promise<Halt | null> {
  // Before anything is paid for.
  run.deps.model(run.settings).check();
  await resume(run);
  await show(run, { headline: headline("prepare", run.language), mark: "active" }, true);
  await equip(run, signal);
  const { workspace, board } = run;
  run.baseline = await observeBase(run, { place: workspace, isUntouched: await isUntouched(run) }, signal);
  for (const check of run.baseline?.checks ?? []) run.failures.checked(check);
  if (run.baseline?.outcome === "failed") board.notices.push(redBefore(run));
  return null;
}

/** What the checks say of the untouched base, as known or as this place shows it; null where it shows something else. */
export async function observeBase(
  { workspace, settings, deps, setup, code }: Run,
  { place, isUntouched }: { place: Pick<Workspace, "box" | "files">; isUntouched: boolean },
  signal: AbortSignal,
): Promise<Run["baseline"]> {
  const { box, files } = place;
  const commands = await detectCommands(files, settings.validate);
  const rules = queryRules(settings.validate);
  const key = `${workspace.baseSha} ${JSON.stringify([commands, rules])} ${setup?.outcome ?? ""}`;
  return deps.baselines({ key, isUntouched }, () =>
    observeBaseline({ box, files, commands, rules, source: code.source }, signal),
  );
}

/** Installs what the checkout needs, and opens what agents can use in it. */
export async function equip(run: Run, signal: AbortSignal): Promise<void> {
  const { workspace, settings, deps, board } = run;
  const cache = settings.setup.cache ? join(deps.data, "cache") : null;
  const setup = await setUp(workspace, { ...settings.setup, cache }, signal);
  run.setup = setup;
  // Afterwards, because a repository's own tools may need what was installed.
  run.toolbox = await openToolbox(run, signal);
  run.brought = await broughtBy(run, wordsOf(run), signal);
  if (setup.outcome === "failed") board.notices.push(setup.reason);
}

/** What people wrote for this run: the issue as a whole, and the comment that asked. */
function wordsOf({ ask }: Run): string[] {
  const said = "text" in ask.intent && ask.intent.kind !== "budget" ? ask.intent.text : "";
  return [ask.thread?.body ?? "", said];
}

/** True while the branch holds documents only: then its checks are the base's. */
async function isUntouched(run: Run): Promise<boolean> {
  const { mirror, baseSha } = run.workspace;
  const changes = await mirror.changes(baseSha, await run.workspace.head());
  return changes.every(({ path }) => isBook(path));
}

function redBefore(run: Run): string {
  const { reason = "" } = run.baseline ?? {};
  const base = run.workspace.baseBranch;
  return run.language === "zh"
    ? `\`${base}\` 的检查在改动之前就已失败（${reason}），不计入本次改动。`
    : `The checks of \`${base}\` fail already, before any change (${reason}). They are not held against this change.`;
}
