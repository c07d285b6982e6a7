import type { Halt } from "../ends.js";
import { advance, stateOf } from "../state.js";
import type { Run } from "../types.js";

const MAX_TITLE = 110;

/** What a person asks for on top of the issue: the words of the comment that started this run; null when there are none. */
function wishOf(run: Run): string | null {
  const { intent, comment } = run.ask;
  const isWish = intent.kind === "change" || (intent.kind === "start" && comment !== null);
  return isWish && "text" in intent && intent.text.trim() ? intent.text.trim() : null;
}

/**
 * Where work was done already, decides what this run is for: nothing more to do, a change of what was understood, or one more
 * task on what was built.
 */
export async function reconsider(run: Run): Promise<Halt | null> {
  const state = stateOf(run);
  const isOurs = run.events.some((event) => event.type === "state" && event.run === run.id);
  if (state === "completed")
    return nothingToDo(run, {
      en: "is completed already; open a new issue for new wishes",
      zh: "已经完成；新的要求请另开 issue",
    });
  if (state === null || isOurs) return null;
  const wish = wishOf(run);
  if (wish === null) {
    const isDone = state === "in-review" && run.ask.intent.kind === "start";
    if (!isDone) return null;
    run.board.pull = (await run.doors.port?.findPull(run.workspace.branch))?.number ?? null;
    return nothingToDo(run, { en: "is in review already", zh: "已在评审中" });
  }
  if (state === "clarified" || state === "designed" || state === "approved")
    await advance(run, "changed", run.ask.comment?.url ?? wish);
  if (state === "in-review" || state === "verifying")
    await advance(run, "implementing", run.ask.comment?.url ?? wish);
  return null;
}

function nothingToDo(run: Run, words: { en: string; zh: string }): Halt {
  return { state: "finished", outcome: "not-run", reason: `${run.requirement} ${words[run.language]}` };
}

/** Puts the wish behind the plan as one more task, once. */
export function addWish(run: Run): void {
  const wish = wishOf(run);
  if (wish === null || run.tasks.length === 0) return;
  const title = wish.replace(/\s+/g, " ").slice(0, MAX_TITLE);
  if (run.tasks.some((task) => task.title === title)) return;
  const last = Math.max(...run.tasks.map(({ id }) => Number(id.slice(1))));
  const isAllDone = run.tasks.every(({ done }) => done);
  // A wish said before anything was built is part of requirement and design already.
  if (!isAllDone) return;
  const task = {
    id: `T${last + 1}`,
    title,
    kind: "feature" as const,
    criteria: [],
    files: [],
    after: [],
    done: false,
    evidence: [],
  };
  run.tasks.push(task);
  run.board.tasks.push({ id: task.id, title, mark: "waiting" });
}
