import { foldState, parseEvents } from "../requirements/index.js";
import { slug as slugOf } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import { requirementOfBranch } from "./requirement-of.js";

/** A requirement's branch in a repository: the one it has already, whatever its title is now, else a new name. */
export async function requirementBranch(
  mirror: Pick<Mirror, "branches">,
  { pattern, requirement, title }: { pattern: string; requirement: string; title: string },
): Promise<{ branch: string; slug: string }> {
  const [before = "", after = ""] = pattern.split("{slug}");
  const stem = before.replaceAll("{requirement}", requirement).replace(/-$/, "");
  const existing = (await mirror.branches(stem))
    .map(({ name }) => name)
    .filter((name) => name === stem || name.startsWith(`${stem}-`));
  const slug = slugOf(title) || "work";
  const fresh = `${stem}-${slug}${after.replaceAll("{requirement}", requirement)}`;
  const branch = existing.sort()[0] ?? (pattern.includes("{slug}") ? fresh : stem);
  return { branch, slug };
}

/** The branch of a requirement on the remote as last fetched; null when it has none. */
export async function branchOf(
  mirror: Pick<Mirror, "branches">,
  requirement: string,
): Promise<{ name: string; sha: string } | null> {
  const all = await mirror.branches("");
  return all.find(({ name }) => requirementOfBranch(name) === requirement) ?? null;
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
