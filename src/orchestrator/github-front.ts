import type { GitHubPort, ReactionTarget } from "../github/index.js";
import {
  type Clock,
  type Language,
  inertLine,
  inertSubject,
  isAccrueError,
  marker,
  messageOf,
} from "../shared/index.js";
import type { Ask } from "./intent.js";
import { CHECK_NAME, concludeLeftCheck } from "./left-check.js";
import { budgetUsd } from "./budget.js";
import { issueOf } from "./requirement-of.js";
import { billText } from "./resources.js";
import { askingCheck, checkEnd, pullText } from "./texts/result.js";
import { statusText } from "./texts/status.js";
import type { Links } from "./texts/words.js";
import type { Board, Front, Log, Publication, Run } from "./types.js";
import { partsText } from "./texts/parts.js";
import { quiet } from "./texts/quiet.js";

export interface GitHubFrontOptions {
  ask: Ask;
  requirement: string;
  language: Language;
  mention: string;
  /** At least this long between two edits of the status comment that are not urgent. */
  statusIntervalMs: number;
}

/** Addresses of this repository's pages. */
export function linksOf(port: Pick<GitHubPort, "web">): Links {
  const encode = (path: string) =>
    path
      .split("/")
      .map(encodeSegment)
      .join("/")
      .replace(/%23(?=L\d+$)/, "#");
  return {
    branch: (name) => port.web(`tree/${encode(name)}`),
    file: (revision, path) => port.web(`blob/${encode(revision)}/${encode(path)}`),
  };
}

/** A bracket would end the link in Markdown. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replaceAll("(", "%28").replaceAll(")", "%29");
}

/** Where the 👀 goes: the comment that asked, else the issue. */
export function reactionTarget(ask: Ask): ReactionTarget | null {
  if (ask.comment && ask.comment.kind !== "review") return { kind: ask.comment.kind, id: ask.comment.id };
  return ask.thread ? { kind: "issue", number: ask.thread.number } : null;
}

/** Shows a run on GitHub: reaction, one living comment, draft pull request, check run, bill. */
export function createGitHubFront(
  deps: { port: GitHubPort; clock: Clock; log: Log },
  options: GitHubFrontOptions,
): Front {
  const { port, clock, log } = deps;
  const { ask, requirement, mention, statusIntervalMs } = options;
  const links = linksOf(port);
  const issue = issueOf(ask, requirement);
  let lastShownMs = Number.NEGATIVE_INFINITY;
  let lastWrite: Promise<unknown> = Promise.resolve();

  async function bill(run: Run): Promise<void> {
    const text = billText(run.deps, {
      requirement,
      language: run.language,
      budgetUsd: budgetUsd(run.deps.ledger, run),
      repository: ask.repository,
    });
    const targets = [run.board.pull, issue].filter((number): number is number => number !== null);
    for (const number of targets) await port.upsertComment(number, marker("bill", requirement), text);
  }

  async function show(board: Board, urgent: boolean): Promise<void> {
    if (issue === null || (!urgent && clock.now() - lastShownMs < statusIntervalMs)) return;
    lastShownMs = clock.now();
    const text = quiet(statusText(board, links, mention), mention);
    // One write after the other, so that an older text never lands on a newer one.
    const write = lastWrite.then(() => port.upsertComment(issue, marker("status", requirement), text));
    lastWrite = write.catch((error: unknown) =>
      log.warn({ requirement, error: messageOf(error) }, "the status comment could not be written"),
    );
    if (urgent) await write;
  }

  return {
    acknowledge: async () => {
      const target = reactionTarget(ask);
      if (target) await port.react(target, "eyes");
    },
    show,
    publish: (run, publication) => publish({ port, log }, links, { run, publication, mention }),
    bill,
    alert: async (key, text) => {
      if (issue === null) return;
      const said = quiet(`⚠ ${inertLine(text)}`, mention);
      await port.addComment(issue, marker("alert", key), said, true).catch((error: unknown) => {
        log.warn({ requirement, error: messageOf(error) }, "an alert could not be written");
      });
    },
    showParts: async (run) => {
      const parts = run.tasks.filter(({ kind }) => kind === "external");
      if (issue === null || parts.length === 0) return;
      const text = quiet(partsText(requirement, parts, run.language), mention);
      await port.upsertComment(issue, marker("parts", requirement), text);
    },
    askPerson: async (run, needs, text) => {
      const sha = await run.workspace.head();
      const check = await port.startCheck({ name: CHECK_NAME, sha, externalId: run.id, url: null });
      await port.concludeCheck(check, askingCheck(needs, text));
    },
    abandon: async (run, reason) =>
      concludeLeftCheck(port, {
        sha: await run.workspace.head(),
        run: run.id,
        language: run.language,
        reason,
      }),
  };
}

/** Says in a pull request's body that it left its draft by itself once: who makes it a draft again means it. */
const READY = marker("ready");

/** Not being allowed to costs nothing but a press of a button: it is said. */
async function leaveDraft(
  port: GitHubPort,
  { run, pull, body }: { run: Run; pull: number; body: string },
): Promise<void> {
  try {
    await port.markReady(pull);
    await port.updatePullBlock(pull, `${body}\n\n${READY}`);
  } catch (error) {
    if (!isAccrueError(error) || error.retryable) throw error;
    run.board.notices.push(error.message);
  }
}

/** Opens or updates the pull request, and concludes the check run on its head, whatever goes wrong in between. */
async function publish(
  { port, log }: { port: GitHubPort; log: Log },
  links: Links,
  of: { run: Run; publication: Publication; mention: string },
): Promise<number> {
  const { run, publication, mention } = of;
  const { requirement } = run;
  const head = run.board.branch ?? run.workspace.branch;
  const body = quiet(pullText(run, publication, links), mention);
  const check = await port.startCheck({
    name: CHECK_NAME,
    sha: publication.headSha,
    externalId: run.id,
    url: null,
  });
  const end = checkEnd(run, publication, links);
  try {
    const title = `${inertSubject(publication.title)} (${requirement})`;
    const pull = await port.openPull({ head, base: run.workspace.baseBranch, title, body, draft: true });
    const wasReady = pull.body.includes(READY);
    await port.updatePullBlock(pull.number, wasReady ? `${body}\n\n${READY}` : body);
    await port.concludeCheck(check, end);
    if (publication.isReady && !wasReady) await leaveDraft(port, { run, pull: pull.number, body });
    return pull.number;
  } catch (error) {
    const notPublished = { title: "Not published", summary: end.title, annotations: [], actions: [] };
    try {
      await port.concludeCheck(check, { conclusion: "neutral", ...notPublished });
    } catch (second) {
      // The first trouble is what people have to know; the check is concluded when the run is settled.
      log.warn({ requirement, check, error: messageOf(second) }, "a check could not be concluded");
    }
    throw error;
  }
}
