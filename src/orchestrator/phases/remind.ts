import { show } from "../board.js";
import type { Halt } from "../ends.js";
import { experienceFor } from "../experience.js";
import type { Reminder, Run } from "../types.js";

/** Shows, unprompted and without a model, what earlier work says about this requirement: alerts first, then notes. */
export async function remind(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const text = `${run.title}\n${run.text}\n\n${run.documents.requirement}`;
  const answer = await experienceFor(run, "design", { text }, signal);
  const alerts = answer.risk.alerts.map(({ id, level, message, pending }) => ({
    id,
    level,
    text: message,
    place: placeOf(run, fileOf(run, id), id),
    isPending: pending,
  }));
  const files = [...answer.context.files, ...answer.pattern.files].map(({ id, path, pending }) => ({
    id,
    level: "info" as const,
    text: titleOf(run.knowledge.get(path) ?? "") || path,
    place: placeOf(run, path, id),
    isPending: pending,
  }));
  // A rule says what the note it comes from says: the note is not repeated beside it.
  const notes = files.filter(({ text }) => !alerts.some((alert) => alert.text.includes(text)));
  const reminders = [...alerts, ...notes].filter(
    ({ id }, index, all) => all.findIndex((other) => other.id === id) === index,
  );
  if (reminders.length > 0) await show(run, { reminders });
  return null;
}

function placeOf(run: Run, path: string | null, id: string): Reminder["place"] {
  if (path === null) return null;
  const address = run.shared.get(`${path}#${id}`) ?? run.shared.get(path);
  if (address === undefined) return { path, branch: run.elsewhere.get(path) ?? run.board.base };
  return address === "" ? null : { address };
}

/** The file that a rule stands in. */
function fileOf(run: Run, rule: string): string | null {
  return [...run.knowledge].find(([, text]) => text.includes(`## ${rule} `))?.[0] ?? null;
}

function titleOf(document: string): string {
  const title = /^title:\s*(.+)$/m.exec(document)?.[1] ?? /^#\s+(.+)$/m.exec(document)?.[1] ?? "";
  return title.trim().replace(/^"(.*)"$/, "$1");
}
