import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** What `accrue init` did: files it wrote, and files that were there and were left alone. */
export interface InitResult {
  created: string[];
  kept: string[];
}

/** Writes the scaffold into a repository, never over a file that exists. `sources` maps a folder of the package to a target folder. */
export async function initRepository(
  repository: string,
  sources: readonly { from: string; to: string }[],
): Promise<InitResult> {
  const result: InitResult = { created: [], kept: [] };
  for (const { from, to } of sources) {
    const entries = await readdir(from, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((item) => item.isFile())) {
      const source = join(entry.parentPath, entry.name);
      const path = join(to, relative(from, source));
      const isNew = await writeNew(join(repository, path), await readFile(source, "utf8"));
      (isNew ? result.created : result.kept).push(path);
    }
  }
  return { created: result.created.sort(), kept: result.kept.sort() };
}

async function writeNew(path: string, text: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
