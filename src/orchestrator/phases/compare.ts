import { formatTasks, type Overlap, overlapOf } from "../../requirements/index.js";
import { clipEnd, inertLine, isAccrueError, marker, messageOf } from "../../shared/index.js";
import type { Halt } from "../ends.js";
import { footprintIn, openRequirements, unfolded } from "../footprints.js";
import { issueOf } from "../requirement-of.js";
import { quiet } from "../texts/quiet.js";
import type { Run } from "../types.js";
import { aliasesOf } from "../understanding.js";

const MAX_NAMED = 4;
const MAX_QUOTE = 80;
/** A fold takes minutes; what was merged and not filed for longer than this failed silently. */
const LATE_MS = 24 * 60 * 60_000;

/**
 * Tells two open requirements of each other where they touch one criterion, rule, symbol or file: this one in its status, the other in
 * a comment on its issue, once. Says also when merged requirements were not filed.
 */
export async function compare(run: Run): Promise<Halt | null> {
  const { mirror, baseBranch, baseSha } = run.workspace;
  const tip = (await mirror.resolve(`refs/remotes/origin/${baseBranch}`)) ?? baseSha;
  const base = await mirror.readFiles(tip, ["requirements/"]);
  const mine = footprintIn(run.requirement, {
    ...run.documents,
    tasks: formatTasks({ id: run.requirement, title: "", language: run.language, tasks: run.tasks }),
  });
  for (const other of await openRequirements(mirror, base)) {
    if (other.id === run.requirement) continue;
    const overlaps = overlapOf(mine, other, aliasesOf(run));
    if (overlaps.length === 0) continue;
    run.board.notices.push(sentence(run, { id: other.id, title: other.title }, overlaps));
    await tell(run, other.id, overlaps);
  }
  const late = unfolded(base, run.deps.clock.now() - LATE_MS).filter(({ id }) => id !== run.requirement);
  if (late.length > 0) run.board.notices.push(backlog(run, late));
  return null;
}

/** What the other requirement's people read. Contract: a comment that cannot be written is no reason to stop. */
async function tell(run: Run, other: string, overlaps: readonly Overlap[]): Promise<void> {
  const { doors, requirement, settings, deps, board } = run;
  const issue = Number(/^REQ-(\d+)$/.exec(other)?.[1] ?? 0);
  if (!doors.port || issue === 0) return;
  const own = issueOf(run.ask, requirement);
  const title = `${board.title}${own === null ? "" : ` (#${own})`}`;
  const turned = overlaps.map((overlap) => ({ ...overlap, a: overlap.b, b: overlap.a }));
  const text = quiet(`⚠ ${inertLine(sentence(run, { id: requirement, title }, turned))}`, settings.mention);
  // One pair is told once, whoever comes second.
  const pair = [requirement, other].toSorted((a, b) => a.localeCompare(b)).join("+");
  try {
    await doors.port.addComment(issue, marker("overlap", pair), text, true);
  } catch (error) {
    if (!isAccrueError(error)) throw error;
    deps.log.warn({ requirement, other, error: messageOf(error) }, "an overlap could not be told");
  }
}

function sentence(
  { language }: Run,
  other: { id: string; title: string },
  overlaps: readonly Overlap[],
): string {
  const isChinese = language === "zh";
  const shown = overlaps.slice(0, MAX_NAMED).map((overlap) => partOf(overlap, other.id, isChinese));
  const left = overlaps.length - shown.length;
  const more = left > 0 ? (isChinese ? `，另有 ${left} 处` : `, and ${left} more`) : "";
  const title = clipEnd(other.title.replace(/\s+/g, " "), MAX_QUOTE);
  const list = shown.join(isChinese ? "，" : ", ");
  return isChinese
    ? `${other.id}“${title}”也在进行中，涉及同样的内容：${list}${more}`
    : `${other.id} "${title}" is open too and touches the same: ${list}${more}`;
}

function partOf({ kind, a, b, what }: Overlap, other: string, isChinese: boolean): string {
  const said = clipEnd(what.replace(/\s+/g, " "), MAX_QUOTE);
  const names = {
    criterion: isChinese ? "标准" : "criterion",
    case: isChinese ? "同一情形、不同结果" : "the same case with another outcome",
    rule: isChinese ? "规则" : "rule",
    symbol: isChinese ? "符号" : "symbol",
    file: isChinese ? "文件" : "file",
  };
  const where = a === "" ? "" : ` ${a} = ${other}/${b}`;
  return kind === "criterion" || kind === "case"
    ? `${names[kind]}${where} "${said}"`
    : `${names[kind]} \`${what}\``;
}

function backlog({ language, workspace }: Run, late: readonly { id: string; since: string }[]): string {
  const ids = late
    .slice(0, MAX_NAMED)
    .map(({ id }) => id)
    .join(", ");
  const oldest = late.map(({ since }) => since.slice(0, 10)).toSorted()[0] ?? "";
  const count = late.length;
  return language === "zh"
    ? `${count} 个需求已合并但尚未归档，最早的自 ${oldest}：${ids} · 请检查归档是否能推送到 ${workspace.baseBranch}，或在其 PR 中回复 retry`
    : `${count} merged ${count === 1 ? "requirement is" : "requirements are"} not filed, the oldest since ${oldest}: ${ids} · see whether the fold can push to ${workspace.baseBranch}, or reply retry on the pull request`;
}
