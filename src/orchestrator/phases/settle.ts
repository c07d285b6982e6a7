import { show } from "../board.js";
import { recordBudget, recordCosts } from "../books.js";
import type { Halt } from "../ends.js";
import { shownGate } from "../gate.js";
import { commitService } from "../commit-service.js";
import { fullName } from "../site.js";
import { advance, commitAndPush, stateOf } from "../state.js";
import { tellUnbegun } from "../tell-unbegun.js";
import type { Mark, Run, RunEnd } from "../types.js";

/** What the last writes of a run may take, when it was stopped and its own signal is spent. */
const SETTLE_MS = 60_000;

const MARKS: Record<Halt["state"], Mark> = {
  finished: "done",
  paused: "paused",
  stopped: "paused",
  failed: "failed",
};

/** Ends a run in order: partial work is saved on its branch, costs are booked, and the board says where things stand. */
export async function settle(run: Run, halt: Halt): Promise<RunEnd> {
  let isSaved = false;
  if (halt.state !== "finished") {
    await run.front.abandon(run, halt.reason);
    isSaved = await saveWork(run, halt);
    await tellUnbegun(run, isSaved ? run.events : []);
    if (isSaved && halt.needs) await run.front.askPerson(run, halt.needs, headlineOf(run, halt));
  }
  endRows(run, markOf(halt));
  await show(run, { mark: markOf(halt), headline: headlineOf(run, halt), activity: "" }, true);
  const { state, outcome, reason } = halt;
  const gate = isSaved && halt.needs === "approval" ? shownGate(run.events) : null;
  return {
    state,
    outcome,
    reason,
    requirement: run.requirement,
    run: run.id,
    branch: run.board.branch,
    pull: run.board.pull,
    tasks: run.tasks.map(({ id, title, done }) => ({ id, title, done })),
    ...(gate && { gate }),
  };
}

/** Nothing is shown as going on when nothing does. */
function endRows({ board }: Run, mark: Mark): void {
  const ended = <Item extends { mark: Mark }>(item: Item): Item =>
    item.mark === "active" ? { ...item, mark } : item;
  board.rows = board.rows.map(ended);
  board.tasks = board.tasks.map(ended);
}

/** False when it could not be pushed: then that is said. */
async function saveWork(run: Run, halt: Halt): Promise<boolean> {
  if (stateOf(run) !== null && stateOf(run) !== "in-review")
    await advance(run, halt.state === "failed" ? "blocked" : "paused", halt.reason);
  await recordBudget(run);
  await recordCosts(run);
  const message = `${run.requirement}: save unfinished work`;
  const signal = AbortSignal.timeout(SETTLE_MS);
  const results: (Halt | null)[] = [];
  for (const site of run.services) results.push(await commitService(run, site, message, signal));
  results.push(await commitAndPush(run, message, signal));
  run.board.notices.push(...results.flatMap((refused) => refused?.reason ?? []));
  return results.every((refused) => refused === null);
}

function markOf(halt: Halt): Mark {
  return halt.state === "finished" && halt.outcome === "failed" ? "failed" : MARKS[halt.state];
}

function headlineOf(run: Run, halt: Halt): string {
  const isChinese = run.language === "zh";
  if (halt.headline !== undefined) return halt.headline;
  if (halt.state === "finished") {
    const own = run.board.pull === null ? `\`${run.board.branch ?? ""}\`` : `#${run.board.pull}`;
    const others = run.services.flatMap(({ pull, repository }) =>
      pull === null ? [] : [`${fullName(repository)}#${pull}`],
    );
    const pull = [own, ...others].join(isChinese ? "、" : ", ");
    return isChinese ? `待评审：${pull} · ${halt.reason}` : `Ready for review: ${pull} · ${halt.reason}`;
  }
  // Who stopped it and why is a sentence already.
  if (halt.state === "stopped") return halt.reason;
  const word = { paused: ["Paused", "已暂停"], failed: ["Failed", "失败"] }[halt.state];
  const reason = `${word[isChinese ? 1 : 0] ?? ""}: ${halt.reason}`;
  // A budget's sentence says itself what to reply.
  return halt.needs === "budget" ? reason : `${reason} · ${wanted(run)}`;
}

/** What goes on with it: a reply on GitHub, else a command. */
function wanted({ doors, settings, requirement, language }: Run): string {
  const how = doors.port ? `\`${settings.mention} retry\`` : `\`accrue run ${requirement}\``;
  if (language === "zh") return `${doors.port ? "回复" : "运行"} ${how} 继续`;
  return `${doors.port ? "reply" : "run"} ${how} to go on`;
}
