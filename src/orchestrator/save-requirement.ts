import {
  contradictedBy,
  diffRequirement,
  formatRequirement,
  keepIds,
  lastUnderstood,
  logChange,
  mergeRequirements,
  ownParts,
  parseRequirement,
  type RequirementDiff,
  type RequirementDraft,
  understoodEvent,
} from "../requirements/index.js";
import { clipEnd, inertLine, isoTime } from "../shared/index.js";
import { completedFootprints, footprintIn } from "./footprints.js";
import { folderOf } from "./folder-of.js";
import { pendingChanges } from "./phases/wish.js";
import { stateOf, writeEvent } from "./state.js";
import type { Run } from "./types.js";
import { aliasesOf, issueSaid, writtenDocument } from "./understanding.js";

const MAX_QUOTE = 160;
const MAX_CONTRADICTED = 5;

/** A requirement's document as it was written, and what became of its criteria. */
export interface SavedRequirement {
  document: string;
  diff: RequirementDiff;
}

/**
 * Writes `requirement.md`, with what people made of it merged in, and records what it was written from. `logged` gives the lines of
 * the change log.
 */
export async function saveRequirement(
  run: Run,
  draft: RequirementDraft,
  logged: (diff: RequirementDiff) => string[],
): Promise<SavedRequirement> {
  const groups = aliasesOf(run);
  const theirs = await documentOf(run);
  const written = await writtenDocument(run);
  const base = written ?? (stateOf(run) === "opened" ? "" : theirs);
  const before = parseRequirement(theirs);
  const ever = run.events.flatMap((event) =>
    event.type === "understood" ? event.criteria.map(({ id }) => id) : [],
  );
  const ours = formatRequirement(
    { ...draft, criteria: keepIds(before.criteria, draft.criteria, groups, ever) },
    {
      id: run.requirement,
      issue: Number(/^REQ-(\d+)$/.exec(run.requirement)?.[1] ?? 0) || null,
      language: run.language,
      url: run.ask.thread && !run.ask.thread.isPull ? run.ask.thread.url : before.url || null,
      created: before.created || today(run),
      changes: before.changes,
    },
  );
  const merged = mergeRequirements({ base: ownParts(base), ours, theirs }, groups);
  const now = parseRequirement(merged.text).criteria;
  const diff = diffRequirement(parseRequirement(base).criteria, now, groups);
  const document = await record(run, merged.text, { diff, lines: logged(diff) });
  return { document, diff };
}

/** Takes over what people changed in `requirement.md` by hand: it stays as they wrote it, with a line in its change log. */
export async function takeOver(
  run: Run,
  logged: (diff: RequirementDiff) => string[],
): Promise<SavedRequirement> {
  const theirs = await documentOf(run);
  const base = (await writtenDocument(run)) ?? theirs;
  const [before, now] = [parseRequirement(base).criteria, parseRequirement(theirs).criteria];
  const diff = diffRequirement(before, now, aliasesOf(run));
  return { document: await record(run, theirs, { diff, lines: logged(diff) }), diff };
}

/** The day, as change logs name it. */
export function today({ deps }: Run): string {
  return isoTime(deps.clock.now()).slice(0, 10);
}

/** What a diff says, in one line: which criteria changed, and what they said before. */
export function diffWords({ changed, added, removed }: RequirementDiff, language: Run["language"]): string {
  const isChinese = language === "zh";
  const oneOf = (text: string) => text.replace(/^> ⚠ .*$/gm, "/").replace(/^> ?/gm, "");
  const quote = (text: string) => clipEnd(inertLine(oneOf(text)).replace(/\s+/g, " ").trim(), MAX_QUOTE);
  const parts = [
    ...changed.map(({ id, before }) =>
      isChinese ? `${id} 已改动（原为：“${quote(before)}”）` : `${id} changed (before: "${quote(before)}")`,
    ),
    ...added.map(({ id }) => (isChinese ? `新增 ${id}` : `${id} added`)),
    ...removed.map(({ id, text }) =>
      isChinese ? `删去 ${id}（“${quote(text)}”）` : `${id} taken out ("${quote(text)}")`,
    ),
  ];
  if (parts.length === 0) return isChinese ? "验收标准没有变化" : "no criterion changed";
  return parts.join(isChinese ? "；" : "; ");
}

async function documentOf(run: Run): Promise<string> {
  const existing = await run.workspace.files.read(`${folderOf(run)}/requirement.md`);
  return existing?.toString("utf8") ?? "";
}

async function record(
  run: Run,
  text: string,
  { diff, lines }: { diff: RequirementDiff; lines: string[] },
): Promise<string> {
  const all = [...lines, ...contradictions(run, text, diff)];
  const document = all.reduce((log, line) => logChange(log, `${today(run)}: ${line}`, run.language), text);
  await run.workspace.files.write(`${folderOf(run)}/requirement.md`, document);
  const { deps, requirement, id, doors } = run;
  const at = isoTime(deps.clock.now());
  const stamp = { id: deps.newId(), req: requirement, run: id, actor: doors.self, at };
  const event = understoodEvent(stamp, {
    issue: issueSaid(run.ask) ?? lastUnderstood(run.events)?.issue?.text ?? null,
    document,
    comments: pendingChanges(run).comments,
    touched: [...diff.changed, ...diff.added, ...diff.removed].map((criterion) => criterion.id),
  });
  await writeEvent(run, event);
  return document;
}

/** Lines that say which criteria of completed requirements this may make wrong; people are told as well. */
function contradictions(run: Run, text: string, { changed, added }: RequirementDiff): string[] {
  const news = [...changed, ...added].map(({ id }) => id);
  const mine = footprintIn(run.requirement, { requirement: text, design: "", tasks: "" });
  const later = { ...mine, criteria: mine.criteria.filter(({ id }) => news.includes(id)) };
  const lines = completedFootprints(run.knowledge, run.requirement).flatMap((earlier) =>
    contradictedBy(later, earlier, aliasesOf(run)).map(({ id, text: said }) => {
      const name = `${earlier.id}/${id}`;
      const words = clipEnd(inertLine(said).replace(/\s+/g, " "), MAX_QUOTE);
      return run.language === "zh"
        ? `已完成的 ${name} 对同一情形的要求是：“${words}”，可能不再成立`
        : `${name}, completed, says for the same case: "${words}"; it may hold no more`;
    }),
  );
  const shown = lines.slice(0, MAX_CONTRADICTED).filter((line) => !text.includes(line));
  run.board.notices.push(...shown);
  return shown;
}
