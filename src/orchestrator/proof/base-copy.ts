import { isTestPath } from "../../codemap/index.js";
import { type Check, type Command, observeBaseline } from "../../validator/index.js";
import type { Change, Fork, Mirror } from "../../workspace/index.js";
import { isBook } from "../code.js";
import type { Site } from "../site.js";

/** A change of one file, seen from before it. */
export type Step = Pick<Change, "path" | "status">;

/** Sources that a branch changes: as they were before, they are the bad code of a fix. Tests and the bot's books are none. */
export async function changedSources(
  { baseSha, mirror }: Pick<Site["workspace"], "baseSha" | "mirror">,
  head: string,
): Promise<Step[]> {
  const changes = await mirror.changes(baseSha, head);
  return changes.filter(({ path }) => !isTestPath(path) && !isBook(path));
}

/** A copy of the checkout whose given files are as they were on the base; the rest is as it stands. */
export async function baseCopy(
  { workspace }: Pick<Site, "workspace">,
  sources: readonly Step[],
  signal: AbortSignal,
): Promise<Fork> {
  const { mirror, baseSha } = workspace;
  const copy = await workspace.fork("before-the-change", signal);
  try {
    await undo(copy, sources, { mirror, revision: baseSha });
    return copy;
  } catch (error) {
    await copy.close();
    throw error;
  }
}

/** Runs commands on the untouched base while the checkout stands on a branch; what was seen once is kept with the baseline. */
export async function observeOnBase(
  site: Pick<Site, "workspace" | "code" | "baseline">,
  commands: readonly Command[],
  signal: AbortSignal,
): Promise<Check[]> {
  const { mirror, baseSha, head } = site.workspace;
  const copy = await baseCopy(site, await mirror.changes(baseSha, await head()), signal);
  try {
    const { box, files } = copy;
    const { source } = site.code;
    const { checks } = await observeBaseline({ box, files, commands, rules: [], source }, signal);
    if (site.baseline) site.baseline = { ...site.baseline, checks: [...site.baseline.checks, ...checks] };
    return checks;
  } finally {
    await copy.close();
  }
}

/** Makes files of a copy what they were in the revision before those steps; what is no text stays as it is. */
export async function undo(
  { files }: Pick<Fork, "files">,
  steps: readonly Step[],
  { mirror, revision }: { mirror: Mirror; revision: string },
): Promise<void> {
  if (steps.length === 0) return;
  const old = await mirror.readFiles(
    revision,
    steps.map(({ path }) => path),
  );
  for (const { path, status } of steps) {
    const text = old.get(path);
    if (status === "added") await files.remove(path);
    else if (text !== undefined) await files.write(path, text);
  }
}
