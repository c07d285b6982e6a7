import type { GitHubPort } from "../github/index.js";
import { inertSubject, isAccrueError, marker, messageOf } from "../shared/index.js";
import { CHECK_NAME } from "./left-check.js";
import { quiet } from "./texts/quiet.js";
import { checkEnd, pullText } from "./texts/result.js";
import { publicationAt, servicePullText } from "./texts/service-pull.js";
import type { Links } from "./texts/words.js";
import type { Log, Publication, Run, ServicePublication } from "./types.js";

/** Says in a pull request's body that it left its draft by itself once: who makes it a draft again means it. */
const READY = marker("ready");

/** What is published, and the name that must not be spoken to in it. */
interface Published {
  run: Run;
  publication: Publication;
  mention: string;
}

/** A pull request of the requirement, in whichever repository, with the block that it shows. */
interface Shown {
  port: GitHubPort;
  pull: number;
  body: string;
  /** True when it left its draft by itself before. */
  wasReady: boolean;
}

/**
 * Opens or updates the pull requests, in each repository one, and concludes the check run on each head, whatever goes wrong in
 * between. Gives the number of the requirement's own.
 */
export async function publishPulls(
  { port, log }: { port: GitHubPort; log: Log },
  links: Links,
  published: Published,
): Promise<number> {
  const { run, publication } = published;
  const check = await port.startCheck({
    name: CHECK_NAME,
    sha: publication.headSha,
    externalId: run.id,
    url: null,
  });
  const end = checkEnd(run, publication, links);
  try {
    const own = await openOwn(port, links, published);
    const others = await publishServices(published, own.pull);
    // Only now the numbers of all of them are known.
    const body = others.length === 0 ? own.body : bodyOf(published, pullText(run, publication, links));
    await showBody({ ...own, body });
    await port.concludeCheck(check, end);
    if (publication.isReady) for (const shown of [{ ...own, body }, ...others]) await leaveDraft(run, shown);
    return own.pull;
  } catch (error) {
    const notPublished = { title: "Not published", summary: end.title, annotations: [], actions: [] };
    try {
      await port.concludeCheck(check, { conclusion: "neutral", ...notPublished });
    } catch (second) {
      // The first trouble is what people have to know; the check is concluded when the run is settled.
      log.warn(
        { requirement: run.requirement, check, error: messageOf(second) },
        "a check could not be concluded",
      );
    }
    throw error;
  }
}

async function openOwn(port: GitHubPort, links: Links, published: Published): Promise<Shown> {
  const { run, publication } = published;
  const head = run.board.branch ?? run.workspace.branch;
  const base = run.workspace.baseBranch;
  const body = bodyOf(published, pullText(run, publication, links));
  const pull = await port.openPull({ head, base, title: titleOf(published), body, draft: true });
  return { port, pull: pull.number, body, wasReady: pull.body.includes(READY) };
}

/** All are opened before any of them says with which others it belongs together. */
async function publishServices(published: Published, home: number): Promise<Shown[]> {
  const { run, publication } = published;
  const found: { service: ServicePublication; wasReady: boolean }[] = [];
  for (const service of publication.services) {
    const { port, branch, workspace } = service.site;
    const body = bodyOf(published, servicePullText(run, { publication, service, home }));
    const base = workspace.baseBranch;
    const pull = await port.openPull({ head: branch, base, title: titleOf(published), body, draft: true });
    service.site.pull = pull.number;
    found.push({ service, wasReady: pull.body.includes(READY) });
  }
  const all: Shown[] = [];
  for (const { service, wasReady } of found) {
    const { port, pull } = service.site;
    const body = bodyOf(published, servicePullText(run, { publication, service, home }));
    const shown = { port, pull: pull ?? 0, body, wasReady };
    await showBody(shown);
    const check = await port.startCheck({
      name: CHECK_NAME,
      sha: service.headSha,
      externalId: run.id,
      url: null,
    });
    await port.concludeCheck(check, checkEnd(run, publicationAt(publication, service), service.links));
    all.push(shown);
  }
  return all;
}

function titleOf({ run, publication }: Published): string {
  return `${inertSubject(publication.title)} (${run.requirement})`;
}

function bodyOf({ mention }: Published, text: string): string {
  return quiet(text, mention);
}

async function showBody({ port, pull, body, wasReady }: Shown): Promise<void> {
  await port.updatePullBlock(pull, wasReady ? `${body}\n\n${READY}` : body);
}

/** Not being allowed to costs nothing but a press of a button: it is said. */
async function leaveDraft(run: Run, shown: Shown): Promise<void> {
  if (shown.wasReady) return;
  try {
    await shown.port.markReady(shown.pull);
    await showBody({ ...shown, wasReady: true });
  } catch (error) {
    if (!isAccrueError(error) || error.retryable) throw error;
    run.board.notices.push(error.message);
  }
}
