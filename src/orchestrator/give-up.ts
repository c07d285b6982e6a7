import { type Language, inertLine, isAccrueError, languageOf, marker, messageOf } from "../shared/index.js";
import { concludeLeftCheck } from "./left-check.js";
import type { Ending, GivenUp } from "./decision.js";
import type { Ask } from "./intent.js";
import type { RunStart } from "./phases/open.js";
import { refusalOf } from "./who-may.js";
import { ownRequirement } from "./requirement-branch.js";
import { issueOf } from "./requirement-of.js";
import { openMirror } from "./resources.js";
import { sceneOf } from "./scene.js";
import { headStatus } from "./status-line.js";
import { recordedEvents, tellUnbegun } from "./tell-unbegun.js";
import { saying } from "./texts/replies.js";
import { quiet } from "./texts/quiet.js";
import type { Doors, EngineDeps, Settings } from "./types.js";

/** What telling needs to know of a repository whose settings may be the very thing that is broken. */
interface Telling {
  ask: Ask;
  doors: Doors;
  /** Null where they cannot be used. */
  settings: Settings | null;
  language: Language;
}

const MENTION = "@agent";

/**
 * Tells people that nothing more comes of their ask, why, and what to reply. Contract: may be called again; rejects with a
 * retryable error when it may be told later.
 */
export async function giveUp(
  work: GivenUp,
  ending: Ending,
  deps: EngineDeps,
  signal: AbortSignal,
): Promise<void> {
  const { message } = ending;
  const ask = work.kind === "run" ? work.start.ask : work.ask;
  const telling = await tellingOf(ask, deps, signal);
  if (!telling.doors.port) return;
  try {
    if (work.kind === "run" && work.start.pull)
      await say(telling, saying("givenUp", telling.language, message));
    else if (work.kind === "run") await endRun(telling, work.start, { ending, deps, signal });
    else if (work.kind === "question" && ending.isStopped) await say(telling, `⏸ **${inertLine(message)}**`);
    else if (work.kind !== "ask" || (await mayHear(ask, deps, signal)))
      await say(telling, saying("givenUp", telling.language, message));
  } catch (error) {
    if (!isAccrueError(error) || error.retryable) throw error;
    deps.log.error(
      { key: ask.key, message, error: messageOf(error) },
      "people could not be told that their ask was given up",
    );
  }
}

async function tellingOf(ask: Ask, deps: EngineDeps, signal: AbortSignal): Promise<Telling> {
  try {
    const { doors, language, settings } = await sceneOf(ask, { attempt: 1, signal }, deps);
    return { ask, doors, language, settings };
  } catch (error) {
    if (!isAccrueError(error, "CONFIG_INVALID")) throw error;
    return {
      ask,
      doors: await deps.doors(ask),
      language: languageOf(`${ask.thread?.title ?? ""} ${ask.thread?.body ?? ""}`),
      settings: null,
    };
  }
}

/** Somebody whose permission is not known gets no answer, also not this one. */
async function mayHear(ask: Ask, deps: EngineDeps, signal: AbortSignal): Promise<boolean> {
  return ask.comment !== null && (await refusalOf(await sceneOf(ask, { attempt: 1, signal }, deps))) === null;
}

async function say({ ask, doors }: Telling, text: string): Promise<void> {
  if (!doors.port || !ask.thread) return;
  await doors.port.addComment(ask.thread.number, marker("reply", ask.key), text, true);
}

/** The status comment says that the run is over, and no check of it stays in progress. */
async function endRun(
  telling: Telling,
  start: RunStart,
  why: { ending: Ending; deps: EngineDeps; signal: AbortSignal },
): Promise<void> {
  const { doors, language, settings, ask } = telling;
  const { requirement, run } = start;
  const issue = issueOf(ask, requirement);
  if (!doors.port || issue === null) return;
  const mention = settings?.mention ?? MENTION;
  const { message, isStopped } = why.ending;
  const head = isStopped ? `⏸ **${inertLine(message)}**` : saying("runGivenUp", language, message, mention);
  await headStatus({ port: doors.port, self: doors.self, issue, requirement }, quiet(head, mention), (rest) =>
    rest.replaceAll("⏳", isStopped ? "⏸" : "❌"),
  );
  if (!settings) return;
  const mirror = await openMirror(why.deps, { ask, doors, settings }, why.signal);
  const branches = (await mirror.branches("")).filter(
    ({ name }) => ownRequirement(name, settings.branch) === requirement,
  );
  for (const { sha } of branches)
    await concludeLeftCheck(doors.port, { sha, run, language, reason: message });
  await tellUnbegun(
    { ...telling, settings, requirement },
    await recordedEvents(mirror, { requirement, settings }, []),
  );
}
