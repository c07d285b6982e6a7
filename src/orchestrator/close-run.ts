import { sitesOf } from "./site.js";
import type { Run } from "./types.js";

/** Removes the checkouts of a run that is over. Safe to call twice. */
export async function closeCheckouts(run: Run): Promise<void> {
  for (const { workspace } of sitesOf(run)) await workspace.close();
}

/** Closes what a run has open in this process, however it ended; its checkouts stay. */
export async function closeRun(run: Run): Promise<void> {
  await run.toolbox?.close();
  run.memory.close();
  for (const { code } of sitesOf(run)) await code.close();
}
