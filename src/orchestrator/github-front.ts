import type { GitHubPort, ReactionTarget } from "../github/index.js";
import { type Clock, type Language, inertLine, marker, messageOf } from "../shared/index.js";
import type { Ask } from "./intent.js";
import { CHECK_NAME, concludeLeftCheck } from "./left-check.js";
import { budgetUsd } from "./budget.js";
import { publishPulls } from "./publish-pulls.js";
import { issueOf } from "./requirement-of.js";
import { billText } from "./resources.js";
import { askingCheck } from "./texts/result.js";
import { statusText } from "./texts/status.js";
import { linksOf } from "./texts/links.js";
import type { Board, Front, Log, Run } from "./types.js";
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
    publish: (run, publication) => publishPulls({ port, log }, links, { run, publication, mention }),
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
    abandon: async (run, reason) => {
      const of = { run: run.id, language: run.language, reason };
      await concludeLeftCheck(port, { ...of, sha: await run.workspace.head() });
      for (const site of run.services)
        await concludeLeftCheck(site.port, { ...of, sha: await site.workspace.head() });
    },
  };
}
