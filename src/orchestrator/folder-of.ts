import { requirementFolder } from "../requirements/index.js";
import type { Run } from "./types.js";

/** Folder of the requirement's documents: the one that exists, whatever the title is now. */
export function folderOf(run: Run): string {
  const prefix = `requirements/in-progress/${run.requirement}`;
  const existing = [...run.knowledge.keys()].find(
    (path) => path.startsWith(`${prefix}/`) || path.startsWith(`${prefix}-`),
  );
  return existing?.split("/").slice(0, 3).join("/") ?? requirementFolder(run.requirement, run.slug, false);
}
