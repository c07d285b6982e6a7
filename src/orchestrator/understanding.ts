import { glossaryOf } from "../knowledge/index.js";
import { type AliasNames, changedSince, issueText, lastUnderstood } from "../requirements/index.js";
import { sha256, visibleText } from "../shared/index.js";
import type { Ask } from "./intent.js";
import type { Run } from "./types.js";

/** How far back on its branch the document is looked for. */
const MAX_HISTORY = 200;

/** What the issue says, as it was at the event; null where another thread asked. */
export function issueSaid({ thread }: Pick<Ask, "thread">): string | null {
  if (!thread || thread.isPull) return null;
  return issueText(visibleText(thread.title), visibleText(thread.body));
}

/** Names that the repository's glossary confirms to mean the same. */
export function aliasesOf({ knowledge }: Pick<Run, "knowledge">): AliasNames {
  return glossaryOf(knowledge).map(({ names }) => names);
}

/** True when people changed acceptance criteria in `requirement.md` since they were understood. */
export function isEditedByHand({ events, draft }: Pick<Run, "events" | "draft">): boolean {
  const understood = lastUnderstood(events);
  return understood !== null && draft !== null && changedSince(understood, draft.criteria).length > 0;
}

/** `requirement.md` as a run wrote it last, whatever people made of it since; null where the history has it no more. */
export async function writtenDocument({
  workspace,
  events,
}: Pick<Run, "workspace" | "events">): Promise<string | null> {
  const understood = lastUnderstood(events);
  if (!understood) return null;
  const { mirror } = workspace;
  for (const { sha, files } of await mirror.history(await workspace.head(), MAX_HISTORY)) {
    const path = files.find(
      (file) => file.endsWith("/requirement.md") && file.includes(`/${understood.req}`),
    );
    const text = path === undefined ? undefined : (await mirror.readFiles(sha, [path])).get(path);
    if (text !== undefined && sha256(text) === understood.document) return text;
  }
  return null;
}
