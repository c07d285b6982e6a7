import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "../git/index.js";
import { headRefOf } from "./checkout.js";
import type { Disk } from "./disk.js";

const REF_LIMIT_MS = 60_000;

/** Removes what ended runs left in a data folder: their checkouts, and the refs that kept their commits. */
export async function sweepRuns(
  deps: { git: Git; disk: Disk },
  dataFolder: string,
  keep: readonly string[],
): Promise<string[]> {
  const swept: string[] = [];
  for (const repository of await repositoryFolders(dataFolder)) {
    const gitDir = join(repository, "mirror.git");
    const runs = (await namesIn(join(repository, "runs"))).filter((run) => !keep.includes(run));
    for (const run of runs) {
      await deps.disk.remove(join(repository, "runs", run));
      const signal = AbortSignal.timeout(REF_LIMIT_MS);
      await deps.git.run(["update-ref", "-d", headRefOf(run)], { folder: gitDir, gitDir, signal });
      swept.push(run);
    }
  }
  return swept;
}

async function repositoryFolders(dataFolder: string): Promise<string[]> {
  let folders = [join(dataFolder, "repos")];
  // Host, owner, name.
  for (let depth = 0; depth < 3; depth++) {
    const below = await Promise.all(
      folders.map(async (folder) => (await namesIn(folder)).map((name) => join(folder, name))),
    );
    folders = below.flat();
  }
  return folders;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
