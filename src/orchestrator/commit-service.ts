import picomatch from "picomatch";
import type { Change } from "../workspace/index.js";
import type { Halt } from "./ends.js";
import { undo } from "./proof/base-copy.js";
import { type ServiceSite, type Site, fullName } from "./site.js";
import { commitAndPush } from "./state.js";
import type { Run } from "./types.js";
import { EVENTS, undoEvents } from "./undo-events.js";

/**
 * Commits what was made in one of the run's repositories and pushes it. A service's branch is pushed at once: what its commits did is
 * ticked in the requirement's own repository, which must never know of work that is on no remote.
 */
export function commitAt(run: Run, site: Site, message: string, signal: AbortSignal): Promise<Halt | null> {
  const service = run.services.find((one) => one === site);
  return service ? commitService(run, service, message, signal) : commitAndPush(run, message, signal);
}

/** The same for the repository of a service. */
export async function commitService(
  run: Run,
  site: ServiceSite,
  message: string,
  signal: AbortSignal,
): Promise<Halt | null> {
  const { workspace } = site;
  const there = await workspace.mirror.readFiles(await workspace.head(), EVENTS);
  const undoOwn = undoEvents(run, workspace, (path) => there.get(path));
  const review = async (changes: readonly Change[]) => {
    const isUndone = await undoOwn(changes);
    return (await leaveOutForeign(run, site, changes)) || isUndone;
  };
  await workspace.commit({ message: `${message}\n\n${signatureOf(run)}`, review });
  if ((await workspace.head()) === workspace.baseSha) return null;
  const pushed = await workspace.push(signal);
  if (pushed.kind === "refused") {
    const reason = `The push to ${fullName(site.repository)} was refused: ${pushed.message}`;
    return { state: "failed", outcome: "failed", reason };
  }
  if (pushed.kind === "pushed-beside")
    run.board.notices.push(`${fullName(site.repository)}: ${pushed.reason}`);
  site.branch = pushed.branch;
  return null;
}

/** What an agent did in the repository outside of the services that the plan names is none of theirs: it is left out, and said. */
async function leaveOutForeign(run: Run, site: ServiceSite, changes: readonly Change[]): Promise<boolean> {
  const { paths, names, workspace, repository } = site;
  const isOwn = picomatch([...paths], { dot: true });
  const foreign = paths.length === 0 ? [] : changes.filter(({ path }) => !isOwn(path));
  if (foreign.length === 0) return false;
  await undo(workspace, foreign, { mirror: workspace.mirror, revision: await workspace.head() });
  const left = foreign.map(({ path }) => path).join(", ");
  run.board.notices.push(
    `An agent changed ${left} in ${fullName(repository)}: left out, the paths of ${names.join(", ")} are ${paths.join(", ")}.`,
  );
  return true;
}

/** How a commit in a service's repository names what it is for. */
export function signatureOf({ repository, requirement, id }: Run): string {
  return `${fullName(repository)} ${requirement}, run ${id}`;
}
