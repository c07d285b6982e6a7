import { inertLine, marker, messageOf, type Language } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import { bringUpToDate } from "./bring-up-to-date.js";
import { KNOWLEDGE_BRANCH, REVIEW_BRANCH } from "./knowledge-tree.js";
import { ownRequirement } from "./requirement-branch.js";
import type { Doors, EngineDeps } from "./types.js";

/** Where the branches are that have to stay mergeable. */
export interface KnowledgePlace {
  mirror: Mirror;
  /** Name of the base branch. */
  base: string;
  doors: Doors;
  language: Language;
  /** How branches of requirements are named. */
  pattern: string;
}

/** So many branches are looked at after a fold: the others are when theirs comes. */
const MAX_BRANCHES = 200;

/**
 * After the base moved: pull requests of ours that git finds conflicting in the knowledge are brought up to date by the three-way
 * merge of rules and notes, because GitHub runs no check on one that conflicts. What else conflicts is left as it is.
 */
export async function keepMergeable(
  place: KnowledgePlace,
  deps: Pick<EngineDeps, "log">,
  signal: AbortSignal,
): Promise<void> {
  const { mirror, base, pattern } = place;
  const baseSha = await mirror.resolve(`refs/remotes/origin/${base}`);
  if (baseSha === null) return;
  const ours = (await mirror.branches("", baseSha))
    .filter(
      ({ name }) =>
        name !== REVIEW_BRANCH &&
        (name.startsWith(KNOWLEDGE_BRANCH) || ownRequirement(name, pattern) !== null),
    )
    // The newest requirements come first.
    .sort((a, b) => b.name.localeCompare(a.name, "en", { numeric: true }));
  for (const branch of ours.slice(0, MAX_BRANCHES)) {
    signal.throwIfAborted();
    try {
      await mergeBase(place, { ...branch, baseSha }, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      // The fold itself is done, and the next one looks again.
      deps.log.warn({ branch: branch.name, error: messageOf(error) }, "a branch was not brought up to date");
    }
  }
}

async function mergeBase(
  { mirror, base, doors, language }: KnowledgePlace,
  { name, sha: tip, baseSha }: { name: string; sha: string; baseSha: string },
  signal: AbortSignal,
): Promise<void> {
  const { port } = doors;
  if (!port) return;
  const message = `Merge branch '${base}' into ${name}`;
  const plain = await mirror.merge({ ours: tip, theirs: baseSha, message });
  if (plain.kind !== "conflict") return;
  const pull = await port.findPull(name);
  if (pull?.baseRef !== base) return;
  const merged = await bringUpToDate(mirror, { branch: tip, base: baseSha, message });
  if (merged.kind === "stuck") return;
  const pushed = await mirror.push({ sha: merged.sha, branch: name, create: false, onto: tip }, signal);
  if (pushed.kind === "refused" || merged.problems.length === 0) return;
  const head =
    language === "zh"
      ? `⚠ \`${base}\` 与这个分支改动了同样的经验，两者都已保留，请各选其一：`
      : `⚠ \`${base}\` and this branch changed the same knowledge. Both are kept: make one of the two.`;
  const text = [head, ...merged.problems.map((problem) => `- ${inertLine(problem)}`)].join("\n\n");
  await port.addComment(pull.number, marker("merged", merged.sha), text, true);
}
