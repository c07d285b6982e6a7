import { visibleText } from "../../shared/index.js";
import type { StateEvent } from "../../requirements/index.js";
import { setRow } from "../board.js";
import type { Halt } from "../ends.js";
import { readyTasks } from "../plan.js";
import { advance, stateOf } from "../state.js";
import type { Run } from "../types.js";

const MAX_TITLE = 110;
const BY = /^@\S+ \S+: /;
/** Asks that want what there is to go on, and are answered when it is there already. */
const GOING_ON: readonly string[] = ["start", "approve", "continue", "autonomy"];

/** What a person asks for on top of the issue. */
export interface Wish {
  /** One line, as a task's title. */
  title: string;
  /** All of it, with the place in the code that it speaks of. */
  text: string;
}

/** The words of the comment that started this run; null when it is no wish. */
export function wishOf({ ask }: Pick<Run, "ask">): Wish | null {
  const { intent, comment } = ask;
  const isWish = intent.kind === "change" || (intent.kind === "start" && comment !== null);
  const said = isWish && "text" in intent ? visibleText(intent.text).trim() : "";
  if (!said) return null;
  if (!comment?.path) return { title: titleOf(said), text: said };
  const place = `Said of \`${comment.path}${comment.line === null ? "" : `:${comment.line}`}\``;
  const hunk = comment.diffHunk ? `:\n\n\`\`\`\`diff\n${comment.diffHunk}\n\`\`\`\`` : "";
  return { title: titleOf(said), text: `${said}\n\n${place}${hunk}` };
}

/** What an event keeps of a wish, so that it outlives the run that it started. */
export function evidenceOf(run: Pick<Run, "ask">): string | undefined {
  const wish = wishOf(run);
  return wish
    ? `@${run.ask.actor?.login ?? "unknown"} ${run.ask.comment?.url ?? "here"}: ${wish.text}`
    : undefined;
}

/** Wishes of earlier runs, oldest first: a requirement that is written anew keeps them. */
export function earlierWishes(run: Pick<Run, "id" | "events">): Wish[] {
  const isSaid = (event: Run["events"][number]): event is StateEvent & { evidence: string } =>
    event.type === "state" &&
    event.run !== run.id &&
    (event.to === "changed" || event.to === "opened") &&
    event.evidence !== undefined;
  return run.events.filter(isSaid).map(({ evidence }) => {
    const text = evidence.replace(BY, "");
    return { title: titleOf(text.split("\n\nSaid of `")[0] ?? text), text };
  });
}

function titleOf(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replaceAll("`", "'")
    .slice(0, MAX_TITLE)
    .replace(/[\ud800-\udbff]$/, "");
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
  if (!wishOf(run)) {
    if (state === "in-review" && readyTasks(run.tasks).length > 0) {
      await advance(run, "implementing", "others have done their part");
      setRow(run.board, "validate", "waiting", "");
      return null;
    }
    if (state !== "in-review" || !GOING_ON.includes(run.ask.intent.kind)) return null;
    run.board.pull = (await run.doors.port?.findPull(run.workspace.branch))?.number ?? null;
    const pull = run.board.pull === null ? "" : `: #${run.board.pull}`;
    return nothingToDo(run, { en: `is in review already${pull}`, zh: `已在评审中${pull}` });
  }
  await advance(run, "changed", evidenceOf(run));
  setRow(run.board, "validate", "waiting", "");
  if (state === "implementing" || state === "in-review" || state === "verifying")
    await advance(run, "implementing");
  else setRow(run.board, "design", "waiting", "");
  return null;
}

function nothingToDo(run: Run, words: { en: string; zh: string }): Halt {
  const reason = `${run.requirement} ${words[run.language]}`;
  return { state: "finished", outcome: "not-run", reason, headline: reason };
}
