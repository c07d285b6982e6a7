import type { Tree } from "../knowledge/index.js";
import type { Mirror } from "../workspace/index.js";

const PREFIXES = ["context/", "requirements/", "AGENTS.md"];
/** Branches with deposits from issues that wait for their pull request. */
export const KNOWLEDGE_BRANCH = "agent/knowledge";

/**
 * Knowledge that counts for a run: the base's, over it the branch's own, and unfolded deposits of the standing knowledge
 * branches. Instructions for agents (AGENTS.md) come from the base only.
 */
export async function gatherKnowledge(
  mirror: Mirror,
  commits: { base: string; head: string },
): Promise<Tree> {
  const tree = new Map(await mirror.readFiles(commits.base, PREFIXES));
  if (commits.head !== commits.base) {
    for (const [path, text] of await mirror.readFiles(commits.head, ["context/", "requirements/"]))
      tree.set(path, text);
  }
  for (const { sha } of await mirror.branches(KNOWLEDGE_BRANCH)) {
    for (const [path, text] of await mirror.readFiles(sha, ["context/deposits/"])) tree.set(path, text);
  }
  return tree;
}
