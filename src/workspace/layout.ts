import { join } from "node:path";
import { AccrueError, type RepositoryRef } from "../shared/index.js";

const SAFE_PART = /^(?!\.{1,2}$)[^/\\\0]{1,255}$/;
const SAFE_RUN = /^[A-Za-z0-9_-]{1,64}$/;

/** The folders of one run. */
export interface RunFolders {
  folder: string;
  /** The checkout; what the box sees as `/workspace`. */
  tree: string;
  /** The box's HOME: caches of package managers live as long as the run. */
  home: string;
  /** Git's index of the checkout, out of the agent's reach. */
  index: string;
}

/** The folder that holds a repository's mirror and runs. */
export function repositoryFolder(dataFolder: string, repository: RepositoryRef): string {
  const parts = [repository.host, repository.owner, repository.name];
  const wrong = parts.find((part) => !SAFE_PART.test(part));
  if (wrong !== undefined) {
    throw new AccrueError("INPUT_INVALID", `"${wrong}" cannot be part of a repository's name.`);
  }
  return join(dataFolder, "repos", ...parts);
}

/** Where a run's checkout lies: the same run id always means the same folder. */
export function runFolders(repository: string, run: string): RunFolders {
  if (!SAFE_RUN.test(run)) {
    throw new AccrueError(
      "INPUT_INVALID",
      `"${run}" is no run id: letters, digits, "-" and "_", at most 64.`,
    );
  }
  const folder = join(repository, "runs", run);
  return { folder, tree: join(folder, "tree"), home: join(folder, "home"), index: join(folder, "index") };
}
