import { join } from "node:path";
import { detectCommands, observeBaseline, queryRules } from "../validator/index.js";
import { type Workspace, setUp } from "../workspace/index.js";
import { isBook } from "./code.js";
import { type Site, fullName } from "./site.js";
import type { Run } from "./types.js";

/** Installs what one of the run's repositories needs. That it did not work is said, and the run goes on. */
export async function setUpSite(run: Run, site: Site, signal: AbortSignal): Promise<void> {
  const { setup } = site.settings;
  const cache = setup.cache ? join(run.deps.data, "cache") : null;
  site.setup = await setUp(site.workspace, { ...setup, cache }, signal);
  if (site.setup.outcome === "failed") run.board.notices.push(placed(site, site.setup.reason));
}

/** Runs a repository's checks on its untouched base, so that what was red before is said and not blamed on the change. */
export async function observeBase(run: Run, site: Site, signal: AbortSignal): Promise<void> {
  const place = { place: site.workspace, isUntouched: await isUntouched(site) };
  site.baseline = await baselineOf(run, site, place, signal);
  for (const check of site.baseline?.checks ?? []) site.failures.checked(check);
  if (site.baseline?.outcome === "failed") run.board.notices.push(placed(site, redBefore(run, site)));
}

/** What the checks say of a repository's untouched base, as known or as this place shows it; null where it shows something else. */
export async function baselineOf(
  { deps }: Pick<Run, "deps">,
  { workspace, settings, setup, code }: Site,
  { place, isUntouched: isBase }: { place: Pick<Workspace, "box" | "files">; isUntouched: boolean },
  signal: AbortSignal,
): Promise<Site["baseline"]> {
  const { box, files } = place;
  const rules = queryRules(settings.validate);
  const commands = await detectCommands(files, settings.validate);
  const key = `${workspace.baseSha} ${JSON.stringify([commands, rules])} ${setup?.outcome ?? ""}`;
  return deps.baselines({ key, isUntouched: isBase }, () =>
    observeBaseline({ box, files, commands, rules, source: code.source }, signal),
  );
}

/** True while the branch holds documents only: then its checks are the base's. */
async function isUntouched({ workspace }: Site): Promise<boolean> {
  const { mirror, baseSha, head } = workspace;
  const changes = await mirror.changes(baseSha, await head());
  return changes.every(({ path }) => isBook(path));
}

function redBefore({ language }: Run, { baseline, workspace }: Site): string {
  const { reason = "" } = baseline ?? {};
  const base = workspace.baseBranch;
  return language === "zh"
    ? `\`${base}\` 的检查在改动之前就已失败（${reason}），不计入本次改动。`
    : `The checks of \`${base}\` fail already, before any change (${reason}). They are not held against this change.`;
}

/** A sentence with the repository that it is about, where that is not the requirement's own. */
function placed({ service, repository }: Site, sentence: string): string {
  return service === "" ? sentence : `${fullName(repository)}: ${sentence}`;
}
