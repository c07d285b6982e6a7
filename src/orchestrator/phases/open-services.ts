import type { PlannedTask } from "../../requirements/index.js";
import { isAccrueError } from "../../shared/index.js";
import { headline, show } from "../board.js";
import { commitService } from "../commit-service.js";
import type { Halt } from "../ends.js";
import { observeBase, setUpSite } from "../observe-base.js";
import { openService } from "../open-service.js";
import { takeCommitted } from "../service-commits.js";
import { namedServices } from "../services.js";
import { commitAndPush } from "../state.js";
import { saveTasks } from "../task-file.js";
import type { Run } from "../types.js";

/**
 * Opens a checkout of each service that the plan names, before anything is done in any of them: set up, and its checks run on the
 * untouched base. Where one is out of reach a person is asked, and nothing is lost.
 */
export async function openServices(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const named = namedServices(run);
  if (named.length === 0) return null;
  await show(run, { headline: headline("services", run.language) }, true);
  for (const names of byRepository(run, named)) {
    try {
      run.services.push(await openService(run, names, signal));
    } catch (error) {
      if (!isAccrueError(error) || error.retryable || signal.aborted) throw error;
      return { state: "paused", outcome: "not-run", reason: `${names.join(", ")}: ${error.message}` };
    }
  }
  for (const site of run.services) {
    for (const name of site.names) run.workspace.showBeside(name, site.workspace.path);
    await setUpSite(run, site, signal);
    await observeBase(run, site, signal);
  }
  return tickCommitted(run, signal);
}

/** Services together that are parts of one repository. */
function byRepository({ settings }: Run, names: readonly string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const key = settings.services[name]?.repository.toLowerCase() ?? name;
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return [...groups.values()];
}

/** What a run that was ended too early did and could not tick any more. */
async function tickCommitted(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const found: PlannedTask[] = [];
  for (const site of run.services) {
    const tasks = await takeCommitted(run, site);
    const halt = tasks.length > 0 ? await commitService(run, site, "Take up what was done", signal) : null;
    if (halt) return halt;
    found.push(...tasks);
  }
  if (found.length === 0) return null;
  const ids = new Set(found.map(({ id }) => id));
  run.board.tasks = run.board.tasks.map((task) => (ids.has(task.id) ? { ...task, mark: "done" } : task));
  await saveTasks(run);
  return commitAndPush(run, `${[...ids].join(", ")}: done already`, signal);
}
