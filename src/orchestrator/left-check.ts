import type { GitHubPort } from "../github/index.js";
import type { Language } from "../shared/index.js";

/** Name of the check run on a pull request's head. */
export const CHECK_NAME = "Accrue";

/** Concludes the check that a run began on a commit and will not conclude any more; a concluded one stays as it is. */
export async function concludeLeftCheck(
  port: GitHubPort,
  of: { sha: string; run: string; language: Language; reason: string },
): Promise<void> {
  const check = await port.findCheck({ name: CHECK_NAME, sha: of.sha, externalId: of.run });
  if (check === null || check.isCompleted) return;
  await port.concludeCheck(check.id, {
    conclusion: "cancelled",
    title: of.language === "zh" ? "未完成" : "Not finished",
    summary: of.reason,
    annotations: [],
    actions: [],
  });
}
