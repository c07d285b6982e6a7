import { headline, show } from "../board.js";
import type { Halt } from "../ends.js";
import { observeBase, setUpSite } from "../observe-base.js";
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
  await observeBase(run, run, signal);
  return null;
}

/** Installs what the checkout needs, and opens what agents can use in it. */
export async function equip(run: Run, signal: AbortSignal): Promise<void> {
  await setUpSite(run, run, signal);
  // Afterwards, because a repository's own tools may need what was installed.
  run.toolbox = await openToolbox(run, signal);
  run.brought = await broughtBy(run, wordsOf(run), signal);
}

/** What people wrote for this run: the issue as a whole, and the comment that asked. */
function wordsOf({ ask }: Run): string[] {
  const said = "text" in ask.intent && ask.intent.kind !== "budget" ? ask.intent.text : "";
  return [ask.thread?.body ?? "", said];
}
