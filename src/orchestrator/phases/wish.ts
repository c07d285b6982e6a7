import { visibleText } from "../../shared/index.js";
import { setRow } from "../board.js";
import type { Halt } from "../ends.js";
import { isEdit } from "../intent.js";
import { readyTasks } from "../plan.js";
import { advance, isBuilt, stateOf } from "../state.js";
import type { Run } from "../types.js";
import { isEditedByHand } from "../understanding.js";

const MAX_TITLE = 110;
const BY = /^@(\S+) (\S+): /;
const EDITED = /^@\S+ edited (\S+)$/;
/** Asks that want what there is to go on, and are answered when it is there already. */
const GOING_ON: readonly string[] = ["start", "approve", "continue", "autonomy"];

/** What a person asks for on top of the issue. */
export interface Wish {
  /** One line, as a task's title. */
  title: string;
  /** All of it, with the place in the code that it speaks of. */
  text: string;
  /** Who said it, and the address of where; null for what was typed. */
  from: { by: string; url: string } | null;
}

/** The words of the comment that started this run; null when it is no wish. */
export function wishOf({ ask }: Pick<Run, "ask">): Wish | null {
  const { intent, comment } = ask;
  const isWish = intent.kind === "change" || (intent.kind === "start" && comment !== null);
  const said = isWish && "text" in intent ? visibleText(intent.text).trim() : "";
  if (!said) return null;
  const from = { by: ask.actor?.login ?? "unknown", url: comment?.url ?? "here" };
  if (!comment?.path) return { title: titleOf(said), text: said, from };
  const place = `Said of \`${comment.path}${comment.line === null ? "" : `:${comment.line}`}\``;
  const hunk = comment.diffHunk ? `:\n\n\`\`\`\`diff\n${comment.diffHunk}\n\`\`\`\`` : "";
  return { title: titleOf(said), text: `${said}\n\n${place}${hunk}`, from };
}

/** What an event keeps of a wish, so that it outlives the run that it started. */
export function evidenceOf(run: Pick<Run, "ask">): string | undefined {
  const wish = wishOf(run);
  if (wish) return `@${wish.from?.by ?? ""} ${wish.from?.url ?? ""}: ${wish.text}`;
  const { actor, thread } = run.ask;
  return isEdit(run.ask) ? `@${actor?.login ?? "unknown"} edited ${thread?.url ?? "here"}` : undefined;
}

/** Wishes of earlier runs, oldest first: a requirement that is written anew keeps them. */
export function earlierWishes(run: Pick<Run, "id" | "events">): Wish[] {
  return wishesIn(run.events.filter((event) => event.run !== run.id));
}

/** What was said or edited since the requirement was last understood, oldest first. */
export function pendingChanges({ events }: Pick<Run, "events">): {
  wishes: Wish[];
  /** Addresses of issues that were edited. */
  edits: string[];
  /** Addresses of all comments, also of the one that opened it. */
  comments: string[];
} {
  const last = events.findLastIndex(({ type }) => type === "understood");
  const since = events.slice(last + 1);
  return {
    wishes: wishesIn(since.filter((event) => event.type === "state" && event.to === "changed")),
    edits: evidencesIn(since).flatMap((text) => EDITED.exec(text)?.[1] ?? []),
    comments: wishesIn(since).flatMap(({ from }) => from?.url ?? []),
  };
}

function wishesIn(events: Run["events"]): Wish[] {
  return evidencesIn(events)
    .filter((text) => !EDITED.test(text))
    .map((evidence) => {
      const [, by = "", url = ""] = BY.exec(evidence) ?? [];
      const text = evidence.replace(BY, "");
      const title = titleOf(text.split("\n\nSaid of `")[0] ?? text);
      return { title, text, from: by === "" ? null : { by, url } };
    });
}

function evidencesIn(events: Run["events"]): string[] {
  return events.flatMap((event) =>
    event.type === "state" && (event.to === "changed" || event.to === "opened") && event.evidence
      ? [event.evidence]
      : [],
  );
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
  const wish = wishOf(run);
  if (!wish && !isEdit(run.ask)) {
    if (state === "in-review" && readyTasks(run.tasks).length > 0) {
      await advance(run, "implementing", "tasks of the plan are open");
      setRow(run.board, "validate", "waiting", "");
      return null;
    }
    if (state !== "in-review" || !GOING_ON.includes(run.ask.intent.kind) || isEditedByHand(run)) return null;
    run.board.pull = (await run.doors.port?.findPull(run.workspace.branch))?.number ?? null;
    const pull = run.board.pull === null ? "" : `: #${run.board.pull}`;
    return nothingToDo(run, { en: `is in review already${pull}`, zh: `已在评审中${pull}` });
  }
  await advance(run, "changed", evidenceOf(run));
  if (wish) setRow(run.board, "validate", "waiting", "");
  // What is said of a line of code is about the code, and changes nothing of what is wanted.
  if (run.ask.comment?.path && isBuilt(state)) await advance(run, "implementing");
  else if (!isBuilt(state)) setRow(run.board, "design", "waiting", "");
  return null;
}

/** Ends a run that finds nothing to do, in words that people read. */
export function nothingToDo(run: Run, words: { en: string; zh: string }): Halt {
  const reason = `${run.requirement} ${words[run.language]}`;
  return { state: "finished", outcome: "not-run", reason, headline: reason };
}
