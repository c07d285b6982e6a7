import { join } from "node:path";
import { detectCommands, observeBaseline, queryRules } from "../../validator/index.js";
import { setUp } from "../../workspace/index.js";
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
  const { workspace, settings, deps, board } = run;
  const cache = settings.setup.cache ? join(deps.data, "cache") : null;
  run.setup = await setUp(workspace, { ...settings.setup, cache }, signal);
  // Afterwards, because a repository's own tools may need what was installed.
  run.toolbox = await openToolbox(run, signal);
  run.brought = await broughtBy(run, wordsOf(run), signal);
  if (run.setup.outcome === "failed") board.notices.push(run.setup.reason);
  const commands = await detectCommands(workspace.files, settings.validate);
  const rules = queryRules(settings.validate);
  run.baseline = await deps.baselines(
    {
      key: `${workspace.baseSha} ${JSON.stringify([commands, rules])} ${run.setup.outcome}`,
      isUntouched: await isUntouched(run),
    },
    () => {
      const { box, files } = workspace;
      return observeBaseline({ box, files, commands, rules, source: run.code.source }, signal);
    },
  );
  for (const check of run.baseline?.checks ?? []) run.failures.checked(check);
  if (run.baseline?.outcome === "failed") board.notices.push(redBefore(run));
  return null;
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
