import { type Dirent, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { MAX_DEFINITIONS } from "./text-file.js";

const MAX_DEPTH = 6;
const MAX_FILES = 10 * MAX_DEFINITIONS;

/**
 * The text files below a folder on disk: `.agents/skills/x/SKILL.md` → content, as a repository's are given. Links are not
 * followed; a folder that is not there has none.
 */
export function readTextFolder(root: string, folder: string): Map<string, string> {
  const files = new Map<string, string>();
  const visit = (path: string, depth: number): void => {
    for (const entry of entriesOf(join(root, path))) {
      if (files.size >= MAX_FILES) return;
      const inner = `${path}/${entry.name}`;
      if (entry.isDirectory() && depth < MAX_DEPTH) visit(inner, depth + 1);
      if (entry.isFile()) files.set(inner, readFileSync(join(root, inner), "utf8"));
    }
  };
  visit(folder, 0);
  return files;
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    // A file in the place of a folder on the way is none either.
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}
