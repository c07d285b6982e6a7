import { isAccrueError, messageOf } from "../shared/index.js";
import { asMaterial } from "./material.js";
import type { Run } from "./types.js";

/** What the team's tracker says of the items that the issue names; marked as untrusted by the client. */
export async function linkedItems(run: Run, signal: AbortSignal): Promise<string> {
  const tracker = run.toolbox?.roles.tracker ?? null;
  if (tracker === null) return "";
  const items = tracker.itemsIn(`${run.title}\n${run.text}`);
  const texts = await Promise.all(
    items.map((id) => orNotice(run, `${tracker.server} ${id}`, tracker.fetch(id, signal))),
  );
  return asMaterial(texts.filter((text) => text !== null).join("\n\n"));
}

/** Earlier solutions that the team's wiki knows of. */
export async function earlierSolutions(run: Run, signal: AbortSignal): Promise<string> {
  const wiki = run.toolbox?.roles.wiki ?? null;
  if (wiki === null) return "";
  const query = run.draft?.title ?? run.title;
  return asMaterial((await orNotice(run, wiki.server, wiki.search(query, signal))) ?? "");
}

/** Tells the tracker once where the result is. */
export async function tellTracker(run: Run, text: string, signal: AbortSignal): Promise<void> {
  const tracker = run.toolbox?.roles.tracker ?? null;
  const write = tracker?.writeStatus ?? null;
  if (tracker === null || write === null || wasTold(run)) return;
  for (const id of tracker.itemsIn(`${run.title}\n${run.text}`)) {
    await orNotice(run, `${tracker.server} ${id}`, write(id, text, signal));
  }
}

/** An earlier run was in review already: then it has told. */
function wasTold(run: Run): boolean {
  return run.events.some(
    (event) => event.type === "state" && event.to === "in-review" && event.run !== run.id,
  );
}

/** Other systems being away holds nothing up: it is said. */
async function orNotice<Result>(run: Run, what: string, work: Promise<Result>): Promise<Result | null> {
  try {
    return await work;
  } catch (error) {
    if (!isAccrueError(error) || error.code === "RUN_STOPPED") throw error;
    run.board.notices.push(`${what}: ${messageOf(error)}`);
    return null;
  }
}
