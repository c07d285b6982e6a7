import type { PlannedTask } from "../../requirements/index.js";
import type { Halt } from "../ends.js";
import { namedServices } from "../services.js";
import { commitAndPush } from "../state.js";
import { saveTasks } from "../task-file.js";
import type { Run } from "../types.js";

type Claim = PlannedTask["evidence"][number];

/** A ticked task whose tests do not exist was not done: it is said and opened again, unless other tests show its criterion. */
export async function reopenUnproved(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const claims = run.tasks.flatMap(({ done, evidence }) => (done ? evidence : []));
  const found = new Set<Claim>();
  // What was done in a service's repository is not to be seen from here.
  const others = namedServices(run);
  const elsewhere = new Set(
    run.tasks.flatMap(({ service, evidence }) => (others.includes(service ?? "") ? evidence : [])),
  );
  for (const claim of claims) if (elsewhere.has(claim) || (await isThere(run, claim))) found.add(claim);
  const isShown = ({ criterion }: Claim) => [...found].some((claim) => claim.criterion === criterion);
  const isMissing = (claim: Claim) => !found.has(claim) && !isShown(claim);
  const unproved = run.tasks.filter(({ done, evidence }) => done && evidence.some(isMissing));
  if (unproved.length === 0) return null;
  for (const task of unproved) {
    const missing = task.evidence.filter(isMissing);
    run.board.notices.push(noticeOf(run, task, missing));
    task.done = false;
    task.evidence = task.evidence.filter((claim) => found.has(claim));
    run.board.tasks = run.board.tasks.map((shown) =>
      shown.id === task.id ? { ...shown, mark: "waiting" } : shown,
    );
  }
  await saveTasks(run);
  return commitAndPush(
    run,
    `${unproved.map(({ id }) => id).join(", ")}: open again, its tests do not exist`,
    signal,
  );
}

async function isThere({ workspace }: Run, { path, test }: Claim): Promise<boolean> {
  const content = await workspace.files.read(path);
  return content?.toString("utf8").includes(test) ?? false;
}

function noticeOf({ language }: Run, { id, title }: PlannedTask, missing: readonly Claim[]): string {
  const tests = missing.map(({ path, test }) => `\`${path}\` "${test}"`).join(", ");
  return language === "zh"
    ? `${id} ${title} 已勾选，但它的测试不存在（${tests}）：重新打开`
    : `${id} ${title} was ticked, but its test does not exist (${tests}): it is open again`;
}
