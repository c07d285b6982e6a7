import { foldState, parseEvents } from "../requirements/index.js";
import { slug as slugOf } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import { requirementOfBranch } from "./requirement-of.js";

/** A requirement with the pattern of its branch: the option `branch` of `.github/agent.yml`. */
interface Named {
  pattern: string;
  requirement: string;
}

/** A requirement's branch in a repository: the one it has already, whatever its title is now, else a new name. */
export async function requirementBranch(
  mirror: Pick<Mirror, "branches">,
  { title, ...named }: Named & { title: string },
): Promise<{ branch: string; slug: string }> {
  const all = await mirror.branches("");
  const existing = all.map(({ name }) => name).filter((name) => isBranchOf(name, named));
  const slug = slugOf(title) || "work";
  return { branch: existing.sort()[0] ?? filled(named).replaceAll("{slug}", slug), slug };
}

/**
 * The requirement whose own branch this is; null for every other, also for one of a person that speaks of a requirement. A pull
 * request that we opened stays ours whatever the pattern is now: its body says so.
 */
export function ownRequirement(branch: string | null, pattern: string, body = ""): string | null {
  const requirement = requirementOfBranch(branch);
  if (branch === null || requirement === null) return null;
  return isBranchOf(branch, { pattern, requirement }) || body.includes(BLOCK) ? requirement : null;
}

const BLOCK = "<!-- accrue:start -->";

/** Behind the name there may be a number, where another branch had it already. */
function isBranchOf(name: string, named: Named): boolean {
  const [start = "", end] = filled(named).split("{slug}");
  const stem = start.replace(/-$/, "");
  if (end === undefined) return name === stem || name.startsWith(`${stem}-`);
  return name === stem || (name.startsWith(start) && name.includes(end, start.length));
}

function filled({ pattern, requirement }: Named): string {
  return pattern.replaceAll("{requirement}", requirement);
}

/** The branch of a requirement on the remote as last fetched; null when it has none. */
export async function branchOf(
  mirror: Pick<Mirror, "branches">,
  { requirement, settings }: { requirement: string; settings: { branch: string } },
): Promise<{ name: string; sha: string } | null> {
  const all = await mirror.branches("");
  return all.find(({ name }) => ownRequirement(name, settings.branch) === requirement) ?? null;
}

/** Whether a branch says that a requirement is completed: then it holds its code, whatever the requirement's own branch is like. */
export async function isCompletedOn(
  mirror: Pick<Mirror, "readFiles">,
  base: string,
  requirement: string,
): Promise<boolean> {
  const tree = await mirror.readFiles(`refs/remotes/origin/${base}`, [`requirements/events/${requirement}/`]);
  return foldState(parseEvents(tree, requirement).events).state === "completed";
}
