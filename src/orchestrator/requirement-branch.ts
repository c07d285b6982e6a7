import { slug as slugOf } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";

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
