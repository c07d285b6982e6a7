import { headline, show } from "../board.js";
import { recordBudget, recordCosts } from "../books.js";
import { commitService } from "../commit-service.js";
import { commitWork } from "../commit-work.js";
import type { Halt } from "../ends.js";
import { reachOf } from "../reach.js";
import { isReadyByItself } from "../ready.js";
import { linksOf } from "../texts/links.js";
import { advance, commitAndPush } from "../state.js";
import { tellTracker } from "../trackers.js";
import type { LocatedEvidence, Publication, Run, ServicePublication } from "../types.js";
import { recordUses } from "../uses.js";
import { changedFiles, validateResult } from "./validate.js";

/** Closes the run's books, pushes, and shows the result: draft pull request, concluded check run, bill. */
export async function publish(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const { workspace } = run;
  await show(run, { headline: headline("publish", run.language) });
  await advance(run, "in-review", run.validation?.reason);
  await recordUses(run, signal);
  await recordBudget(run);
  await recordCosts(run);
  const halt = await handOver(run, signal);
  if (halt) return halt;
  const { validation } = run;
  if (!validation) return { state: "failed", outcome: "not-run", reason: "nothing was validated" };
  const files = await changedFiles(run);
  const services = await changedServices(run);
  if (files.length + services.length === 0)
    return { state: "failed", outcome: "not-run", reason: "the agents changed no file" };
  const headSha = await workspace.head();
  run.board.pull = await run.front.publish(run, {
    title: run.draft?.title ?? run.title,
    headSha,
    summary: run.documents.summary,
    validation,
    evidence: located(run, { headSha, services }),
    findings: run.findings,
    changedFiles: files,
    services,
    reach: await reachOf(run, signal),
    isReady: isReadyByItself(run),
  });
  await run.front.bill(run);
  await tellTracker(run, statusFor(run), signal);
  return null;
}

/** The services in whose repositories something was changed, as they are published. */
async function changedServices(run: Run): Promise<ServicePublication[]> {
  const found: ServicePublication[] = [];
  for (const site of run.services) {
    const files = await changedFiles(site);
    if (files.length === 0 || !site.checked) continue;
    const headSha = await site.workspace.head();
    const links = linksOf(site.port);
    found.push({ site, headSha, validation: site.checked, changedFiles: files, links });
  }
  return found;
}

/** The evidence with addresses of the lines in whichever repository they are. */
function located(
  { doors, evidence }: Run,
  { headSha, services }: Pick<Publication, "headSha" | "services">,
): LocatedEvidence[] {
  const home = doors.port ? { headSha, links: linksOf(doors.port) } : null;
  return evidence.map((item) => {
    const place = /^(.+):(\d+)$/.exec(item.evidence);
    const at = item.service ? services.find(({ site }) => site.service === item.service) : home;
    const url = place && at ? at.links.file(at.headSha, `${place[1] ?? ""}#L${place[2] ?? ""}`) : null;
    return { ...item, url };
  });
}

/** One line for the item that it came from. */
function statusFor({ requirement, board, validation, doors }: Run): string {
  const where =
    board.pull === null ? `branch ${board.branch ?? ""}` : (doors.port?.web(`pull/${board.pull}`) ?? "");
  return `${requirement} is ready for review: ${where} (${validation?.reason ?? ""})`;
}

/** Pushes the result. What a person pushed meanwhile is merged in, and then what is published is checked once more. */
async function handOver(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const message = `${run.requirement}: hand over for review`;
  let isMoved = false;
  for (const site of run.services) {
    const before = await site.workspace.head();
    const halt = await commitService(run, site, message, signal);
    if (halt) return halt;
    isMoved ||= (await site.workspace.head()) !== before;
  }
  await commitWork(run, message);
  const checked = await run.workspace.head();
  const halt = await commitAndPush(run, message, signal);
  if (halt || (!isMoved && (await run.workspace.head()) === checked)) return halt;
  return validateResult(run, signal);
}
