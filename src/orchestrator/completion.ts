import { completeAndFold } from "./complete.js";
import { issueOf, requirementOfBranch } from "./requirement-of.js";
import type { Scene } from "./scene.js";
import { headStatus, readStatus } from "./status-line.js";
import type { EngineDeps } from "./types.js";

/** What a merge brings about: the requirement is completed, its lessons are filed, and its status says so. */
export async function complete(scene: Scene, deps: EngineDeps, signal: AbortSignal): Promise<string> {
  const { ask, doors, settings, language } = scene;
  if (!doors.port || !ask.thread) return "ignored: nothing was merged here";
  const pull = await doors.port.pull(ask.thread.number);
  if (!pull.merged || !pull.mergeCommit) return `ignored: #${pull.number} is not merged`;
  if (pull.baseRef !== (settings.base || ask.defaultBranch))
    return `ignored: #${pull.number} was merged into ${pull.baseRef}, not into the base branch`;
  const merged = { sha: pull.mergeCommit, pull: pull.number, by: ask.actor?.login ?? "unknown" };
  const requirement = requirementOfBranch(pull.headRef);
  const summary = await completeAndFold(
    { ask, doors, settings, language, requirement, merged },
    deps,
    signal,
  );
  if (requirement) await showCompletion(scene, requirement, merged);
  return `completed: ${summary}`;
}

/** The living status comment keeps its table; its first line now says that the work is merged and filed. */
async function showCompletion(
  { ask, doors, language }: Scene,
  requirement: string,
  merged: { sha: string; pull: number },
): Promise<void> {
  const issue = issueOf(ask, requirement);
  const { port, self } = doors;
  if (!port || issue === null) return;
  const place = { port, self, issue, requirement };
  if ((await readStatus(place)) === null) return;
  const link = `[\`${merged.sha.slice(0, 7)}\`](${port.web(`commit/${merged.sha}`)})`;
  await headStatus(place, `✅ **${language === "zh" ? "已完成" : "Completed"}** · #${merged.pull} · ${link}`);
}
