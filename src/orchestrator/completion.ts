import { completeAndFold } from "./fold.js";
import { issueOf, requirementOfBranch } from "./requirement-of.js";
import type { Scene } from "./scene.js";
import { headStatus, readStatus } from "./status-line.js";
import type { EngineDeps } from "./types.js";

/** What a merge brings about: the requirement is completed, its lessons are filed, and its status says so. */
export async function complete(scene: Scene, deps: EngineDeps): Promise<string> {
  const { ask, doors, settings, language, signal } = scene;
  if (!doors.port || !ask.thread) return "ignored: nothing was merged here";
  const pull = await doors.port.pull(ask.thread.number);
  if (!pull.merged || !pull.mergeCommit) return `ignored: #${pull.number} is not merged`;
  if (pull.baseRef !== (settings.base || ask.defaultBranch))
    return `ignored: #${pull.number} was merged into ${pull.baseRef}, not into the base branch`;
  const merged = { sha: pull.mergeCommit, pull: pull.number, by: ask.actor?.login ?? "unknown" };
  const requirement = requirementOfBranch(pull.headRef);
  const folded = await completeAndFold({ ask, doors, settings, language, requirement, merged }, deps, signal);
  if (requirement) await showCompletion(scene, requirement, { ...merged, waitsIn: folded.waitsIn });
  return `completed: ${folded.summary}`;
}

/** The living status comment keeps its table; its first line now says that the work is merged and filed. */
async function showCompletion(
  { ask, doors, language }: Scene,
  requirement: string,
  merged: { sha: string; pull: number; waitsIn: number | null },
): Promise<void> {
  const issue = issueOf(ask, requirement);
  const { port, self } = doors;
  if (!port || issue === null) return;
  const place = { port, self, issue, requirement };
  if ((await readStatus(place)) === null) return;
  const link = `[\`${merged.sha.slice(0, 7)}\`](${port.web(`commit/${merged.sha}`)})`;
  const done = language === "zh" ? "已完成" : "Completed";
  const filing = language === "zh" ? "合并后归档：" : "filed when merged: ";
  const waiting = merged.waitsIn === null ? "" : ` · ${filing}#${merged.waitsIn}`;
  await headStatus(place, `✅ **${done}** · #${merged.pull} · ${link}${waiting}`);
}
