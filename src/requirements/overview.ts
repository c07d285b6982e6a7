import type { Language } from "../shared/index.js";
import { parseEvents, requirementsWithEvents } from "./events.js";
import { foldState } from "./fold-state.js";
import { HEADINGS } from "./headings.js";
import { oneLine } from "./markdown.js";
import { parseRequirement } from "./requirement-document.js";
import type { RequirementSummary, State } from "./types.js";

const DOCUMENT =
  /^requirements\/(in-progress|completed)\/((REQ-\d{8}-[0-9A-Z]{6}|REQ-\d+)(?:-[^/]*)?)\/(.+)$/;
/** More completed ones than this are in their folder only. */
const MAX_COMPLETED = 100;
const MAX_TITLE = 80;
const ORDER: readonly RequirementSummary["state"][] = [
  "contested",
  "blocked",
  "paused",
  "changed",
  "reopened",
  "opened",
  "clarified",
  "designed",
  "approved",
  "implementing",
  "in-review",
  "verifying",
  "completed",
  "cancelled",
];

/** The folder of a requirement's documents. */
export function requirementFolder(id: string, slug: string, done: boolean): string {
  return `requirements/${done ? "completed" : "in-progress"}/${[id, slug].filter(Boolean).join("-")}`;
}

/** Every requirement that a tree knows by its documents or its events, sorted by id. */
export function summaries(tree: ReadonlyMap<string, string>): RequirementSummary[] {
  const folders = new Map<string, string>();
  for (const path of [...tree.keys()].sort()) {
    const [, place, folder, id] = DOCUMENT.exec(path) ?? [];
    // Sorted, "completed" comes first: it counts while an archive is half done.
    if (id !== undefined && !folders.has(id)) folders.set(id, `requirements/${place}/${folder}`);
  }
  const ids = new Set([...folders.keys(), ...requirementsWithEvents(tree)]);
  return [...ids].sort(compareIds).map((id) => {
    const folder = folders.get(id) ?? requirementFolder(id, "", false);
    const { title, issue } = parseRequirement(tree.get(`${folder}/requirement.md`) ?? "");
    const { state, phase } = foldState(parseEvents(tree, id).events);
    return { id, title: title || id, state, phase, issue: issue ?? issueOf(id), folder };
  });
}

/** Writes `requirements/INDEX.md`: what wants a person first, then open work, then what is done. */
export function formatIndex(list: readonly RequirementSummary[], language: Language): string {
  const words = HEADINGS[language];
  const sorted = [...list].sort((a, b) => rank(a.state) - rank(b.state) || compareIds(a.id, b.id));
  const isDone = (state: State | "contested") => state === "completed" || state === "cancelled";
  const open = sorted.filter(({ state }) => !isDone(state));
  // The newest are the ones that are asked for.
  const done = sorted.filter(({ state }) => isDone(state)).toReversed();
  const left = done.length - MAX_COMPLETED;
  const lines = [...open, ...done.slice(0, MAX_COMPLETED)].map(indexLine);
  if (left > 0) lines.push(words.more(left));
  const body = lines.length === 0 ? words.none : lines.join("\n");
  return `# ${words.index}\n\n<!-- ${words.generated} -->\n\n${body}\n`;
}

/** The moves that take a requirement's documents from in-progress to completed: new path → text, old path → null. */
export function archive(tree: ReadonlyMap<string, string>, requirement: string): Map<string, string | null> {
  const moves = new Map<string, string | null>();
  for (const [path, text] of tree) {
    const [, place, folder, id, file] = DOCUMENT.exec(path) ?? [];
    if (place !== "in-progress" || id !== requirement) continue;
    moves.set(`requirements/completed/${folder}/${file}`, text);
    moves.set(path, null);
  }
  return moves;
}

function indexLine({ id, state, title, issue, folder }: RequirementSummary): string {
  const shown = oneLine(title)
    .slice(0, MAX_TITLE)
    .replace(/([\\`*_[\]<>|])/g, "\\$1");
  const link = `[${id}](${folder.replace(/^requirements\//, "")}/requirement.md)`;
  return `- ${link} **${state}** ${shown}${issue === null ? "" : ` · #${issue}`}`;
}

function rank(state: RequirementSummary["state"]): number {
  return ORDER.indexOf(state);
}

function issueOf(id: string): number | null {
  const [, issue] = /^REQ-(\d{1,7})$/.exec(id) ?? [];
  return issue === undefined ? null : Number(issue);
}

/** REQ-9 comes before REQ-12, and those of issues before those of days. */
function compareIds(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
