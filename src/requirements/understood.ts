import { sha256 } from "../shared/index.js";
import { parseRequirement } from "./requirement-document.js";
import type { Criterion, RequirementEvent, UnderstoodEvent } from "./types.js";

/** What an issue says, as it is compared: a box that somebody ticks in it changes nothing that is wanted. */
export function issueText(title: string, body: string): string {
  const lines = body.split(/\r?\n/).map((line) => line.trimEnd());
  const boxes = lines.map((line) => line.replace(/^(\s*(?:[-*+]|\d+[.)]) \[)[xX](\] )/, "$1 $2"));
  return [`# ${title.trim()}`, "", ...boxes].join("\n").trim();
}

/** Makes the event that says what a requirement was written from. */
export function understoodEvent(
  stamp: Pick<UnderstoodEvent, "id" | "req" | "run" | "actor" | "at">,
  what: { issue: string | null; document: string; comments: string[]; touched: string[] },
): UnderstoodEvent {
  const { id, req, run, actor, at } = stamp;
  const { issue, document, comments, touched } = what;
  return {
    v: 1,
    id,
    req,
    type: "understood",
    run,
    actor,
    at,
    issue: issue === null ? null : { sha: sha256(issue), text: issue },
    criteria: parseRequirement(document).criteria.map((criterion) => ({
      id: criterion.id,
      sha: hashOf(criterion),
    })),
    document: sha256(document),
    comments,
    touched,
  };
}

/** What was understood last; null for a requirement of before there were such events. */
export function lastUnderstood(events: readonly RequirementEvent[]): UnderstoodEvent | null {
  return events.findLast((event) => event.type === "understood") ?? null;
}

/** Ids of criteria that say something else than what was understood, are new, or are gone. */
export function changedSince({ criteria }: UnderstoodEvent, now: readonly Criterion[]): string[] {
  const before = new Map(criteria.map(({ id, sha }) => [id, sha]));
  const changed = now.filter((criterion) => before.get(criterion.id) !== hashOf(criterion));
  const gone = criteria.filter(({ id }) => !now.some((criterion) => criterion.id === id));
  return [...changed, ...gone].map(({ id }) => id);
}

/** What of a text is new, and what is gone, line by line. */
export function changedLines(before: string, after: string): { added: string[]; removed: string[] } {
  const lines = (text: string) => text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const without = (from: string[], what: string[]) => {
    const left = [...what];
    return from.filter((line) => {
      const at = left.indexOf(line);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  const [old, now] = [lines(before), lines(after)];
  return { added: without(now, old), removed: without(old, now) };
}

function hashOf({ text }: Criterion): string {
  return sha256(text.replace(/\s+/g, " ").trim());
}
