import type { PlannedTask } from "../../requirements/index.js";
import { inertLine } from "../../shared/index.js";
import { commitAndPush } from "../state.js";
import type { Halt } from "../ends.js";
import { openExternals } from "../plan.js";
import { addTask, saveTasks } from "../task-file.js";
import { issueOf } from "../requirement-of.js";
import { tickedParts } from "../ticked-parts.js";
import type { Run } from "../types.js";

/** Parts of others that a task is done without, on an agreed stand-in. */
export function openMocks(
  tasks: readonly PlannedTask[],
  { after }: Pick<PlannedTask, "after">,
): PlannedTask[] {
  return openExternals(tasks).filter(({ id, external }) => after.includes(id) && external?.mock);
}

/** What a run says when all that is left depends on others. */
export function waitingFor(run: Run, open: readonly PlannedTask[], left: readonly PlannedTask[]): Halt {
  const isChinese = run.language === "zh";
  const parts = open
    .filter(({ external }) => !external?.mock)
    .map(({ id, title, external }) => `${id} ${inertLine(title)} (${inertLine(external?.who ?? "")})`);
  if (parts.length === 0) return inCircles(run, left);
  const list = parts.join(isChinese ? "；" : "; ");
  const ids = left.map(({ id }) => id).join(", ");
  const reason = isChinese
    ? `等待他人完成：${list} · 之后才能做 ${ids} · ${howToTick(run)}`
    : `Waiting for others: ${list} · ${ids} can only be done then · ${howToTick(run)}`;
  return { state: "paused", outcome: "not-run", reason, headline: reason };
}

/** A plan of ours has no circle: somebody made it by hand. */
function inCircles({ language }: Pick<Run, "language">, left: readonly PlannedTask[]): Halt {
  const ids = left.map(({ id }) => id).join(", ");
  const reason =
    language === "zh"
      ? `${ids} 互相等待：请修改 tasks.md 中的 after`
      : `${ids} wait for each other: correct \`after\` in tasks.md`;
  return { state: "paused", outcome: "not-run", reason };
}

function howToTick({ doors, requirement, language }: Run): string {
  if (doors.port)
    return language === "zh" ? "完成后在下方清单中勾选" : "tick it in the list below when it is done";
  return language === "zh"
    ? `完成后在 tasks.md 中勾选，再运行 \`accrue run ${requirement}\``
    : `tick it in tasks.md when it is done and run \`accrue run ${requirement}\``;
}

/**
 * Takes over what people ticked in the list of others' parts. Where the code was built on a stand-in, replacing it is a task of its
 * own from now on.
 */
export async function takeTicks(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const ticked = await tickedParts(run.doors, issueOf(run.ask, run.requirement), run.requirement);
  const news = openExternals(run.tasks).filter(({ id }) => ticked.includes(id));
  if (news.length === 0) return null;
  for (const part of news) {
    const builtOn = run.tasks.filter(({ done, after }) => done && after.includes(part.id));
    part.done = true;
    run.board.tasks = run.board.tasks.map((shown) =>
      shown.id === part.id ? { ...shown, mark: "done" } : shown,
    );
    if (builtOn.length > 0)
      addTask(run, { title: `Replace the stand-in of ${part.id}: ${part.title}`, after: [part.id] });
  }
  await saveTasks(run);
  const names = news.map(({ id }) => id).join(", ");
  return commitAndPush(run, `${names}: done outside`, signal);
}
