import { inertLine } from "../shared/index.js";
import { type Folded, completeAndFold } from "./fold.js";
import type { Completed } from "./fold-writes.js";
import { openTogether } from "./open-together.js";
import { openMirror } from "./resources.js";
import { tickedParts } from "./ticked-parts.js";
import { parseEvents } from "../requirements/index.js";
import { ownRequirement } from "./requirement-branch.js";
import { issueOf } from "./requirement-of.js";
import type { Scene } from "./scene.js";
import { sharedHome } from "./shared-place.js";
import { headStatus, readStatus } from "./status-line.js";
import { filedText } from "./texts/shared-home.js";
import type { EngineDeps } from "./types.js";

/**
 * What a merge brings about: the requirement is completed, its lessons are filed, and its status says so. Asked for on the issue, it
 * completes what was merged before and waited for others.
 */
export async function complete(scene: Scene, deps: EngineDeps): Promise<string> {
  const { ask, doors, settings, language, signal } = scene;
  if (!doors.port || !ask.thread) return "ignored: nothing was merged here";
  const found = ask.thread.isPull
    ? await mergedPull(scene, deps, ask.thread.number)
    : await mergedBefore(scene, deps);
  if (typeof found === "string") return `ignored: ${found}`;
  const { requirement, merged, ticked, together } = found;
  const shared = await sharedHome(scene, deps);
  const folded = await completeAndFold(
    { ask, doors, settings, language, requirement, merged, ticked, shared },
    deps,
    signal,
  );
  if (requirement) await showCompletion(scene, requirement, { ...merged, ...folded, together });
  return `${folded.waitsFor ? "merged" : "completed"}: ${folded.summary}`;
}

interface Merge extends Pick<Completed, "requirement" | "merged" | "ticked"> {
  /** What belongs to it in other repositories and is not merged yet. */
  together: string[];
}

async function mergedPull(scene: Scene, deps: EngineDeps, number: number): Promise<Merge | string> {
  const { ask, doors, settings } = scene;
  if (!doors.port) return "nothing was merged here";
  const pull = await doors.port.pull(number);
  if (!pull.merged || !pull.mergeCommit) return `#${pull.number} is not merged`;
  if (pull.baseRef !== (settings.base || ask.defaultBranch))
    return `#${pull.number} was merged into ${pull.baseRef}, not into the base branch`;
  const merged = { sha: pull.mergeCommit, pull: pull.number, by: ask.actor?.login ?? "unknown" };
  const requirement = ownRequirement(pull.headRef, settings.branch, pull.body);
  return {
    requirement,
    merged,
    together: await openTogether(scene, pull.body, deps),
    ticked: await tickedParts(doors, issueOf(ask, requirement ?? ""), requirement),
  };
}

/** A merge that left the requirement waiting, as its events tell it. */
async function mergedBefore(
  { ask, doors, settings, requirement, signal }: Scene,
  deps: EngineDeps,
): Promise<Merge | string> {
  const mirror = await openMirror(deps, { ask, doors, settings }, signal);
  const base = `refs/remotes/origin/${settings.base || ask.defaultBranch}`;
  const { events } = parseEvents(await mirror.readFiles(base, ["requirements/events/"]), requirement ?? "");
  const waits = events.findLast((event) => event.type === "state");
  const [, sha = "", pull = ""] = /^merged as (\S+) in #(\d+)$/.exec(waits?.evidence ?? "") ?? [];
  if (waits?.to !== "verifying" || sha === "") return `${requirement ?? "it"} does not wait for anybody`;
  const merged = { sha, pull: Number(pull), by: ask.actor?.login ?? "unknown" };
  return {
    requirement,
    merged,
    together: [],
    ticked: await tickedParts(doors, issueOf(ask, requirement ?? ""), requirement),
  };
}

/** The living status comment keeps its table; its first line now says that the work is merged and filed. */
async function showCompletion(
  { ask, doors, language }: Scene,
  requirement: string,
  merged: { sha: string; pull: number } & Pick<Folded, "waitsIn" | "waitsFor" | "filed"> &
    Pick<Merge, "together">,
): Promise<void> {
  const issue = issueOf(ask, requirement);
  const { port, self } = doors;
  if (!port || issue === null) return;
  const place = { port, self, issue, requirement };
  if ((await readStatus(place)) === null) return;
  const link = `[\`${merged.sha.slice(0, 7)}\`](${port.web(`commit/${merged.sha}`)})`;
  const isChinese = language === "zh";
  if (merged.waitsFor) {
    const waits = isChinese
      ? `已合并，尚未完成：等待 ${merged.waitsFor}`
      : `Merged, not completed: waits for ${merged.waitsFor}`;
    await headStatus(
      place,
      `⏸ **${inertLine(waits)}** · #${merged.pull} · ${link}${filedText(language, merged.filed)}`,
    );
    return;
  }
  const done = isChinese ? "已完成" : "Completed";
  const filing = isChinese ? "合并后归档：" : "filed when merged: ";
  const waiting = merged.waitsIn === null ? "" : ` · ${filing}#${merged.waitsIn}`;
  const names = merged.together.join(isChinese ? "、" : ", ");
  const open = names === "" ? "" : isChinese ? ` · ⚠ 仍未合并：${names}` : ` · ⚠ not merged yet: ${names}`;
  await headStatus(
    place,
    `✅ **${done}** · #${merged.pull} · ${link}${waiting}${filedText(language, merged.filed)}${open}`,
  );
}
