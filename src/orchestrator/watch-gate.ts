import type { ThumbUp } from "../github/index.js";
import { marker } from "../shared/index.js";
import type { GateWatch, Watched } from "./decision.js";
import { gateMark } from "./texts/gate.js";
import type { Ask } from "./intent.js";
import { groupOf, stableUlid } from "./requirement-of.js";
import type { Scene } from "./scene.js";
import { saying } from "./texts/replies.js";
import { quiet } from "./texts/quiet.js";
import type { EngineDeps } from "./types.js";
import { mayTrigger } from "./who-may.js";

/** Nobody decides about it any more. */
const MAX_WATCHED_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Looks once whether a person with permission has given a 👍 to the text that waits for approval: then the run is made that it
 * approves. Ends with the gate, with its issue, and after a month, which is said.
 */
export async function watchGate(watch: GateWatch, scene: Scene, deps: EngineDeps): Promise<Watched> {
  const { start, issue: number, gate } = watch;
  const { port, self } = scene.doors;
  if (!port) return over("there is no GitHub to look at");
  const issue = await port.issue(number);
  if (issue.state === "closed") return over(`#${number} is closed`);
  const mark = marker("status", start.requirement);
  const status = (await port.comments(number)).find(
    ({ body, author }) => author?.login === self && body.includes(mark),
  );
  const shown = status?.body.replace(mark, "").trimStart() ?? "";
  if (!status || !shown.startsWith("⏸") || !shown.includes(gateMark(gate)))
    return over(`${gate.of} does not wait any more`);
  const thumb =
    status.thumbsUp === 0 ? null : await firstThatCounts(scene, await port.thumbsUp(status.id), gate.at);
  if (thumb)
    return {
      kind: "work",
      outcome: `approved by a 👍 of @${thumb.by.login}`,
      ...workOf(watch, thumb, issue),
    };
  if (deps.clock.now() - Date.parse(gate.at) < MAX_WATCHED_MS) return { kind: "waiting" };
  const { mention } = scene.settings;
  const text = quiet(saying("notWatched", scene.language, `\`${gate.of}\``, mention), mention);
  await port.addComment(number, marker("alert", `${start.requirement} ${gate.at}`), text, true);
  return over("nobody decided within 30 days");
}

type GivenThumb = ThumbUp & { by: NonNullable<ThumbUp["by"]> };

/** The first 👍 since the text was shown, by somebody who may approve. GitHub's times are whole seconds. */
async function firstThatCounts(
  scene: Scene,
  thumbs: readonly ThumbUp[],
  since: string,
): Promise<GivenThumb | null> {
  const sinceMs = Math.floor(Date.parse(since) / 1000) * 1000;
  for (const { by, ...thumb } of thumbs) {
    if (by?.type !== "User" || Date.parse(thumb.at) < sinceMs) continue;
    if (await mayTrigger(scene, by.login)) return { ...thumb, by };
  }
  return null;
}

/** The run that a written approval would start, with the issue as it is now. */
function workOf(
  { start, issue: number }: GateWatch,
  { id, by, at }: GivenThumb,
  issue: { title: string; body: string; labels: string[]; url: string },
): Pick<Extract<Watched, { kind: "work" }>, "group" | "key" | "work"> {
  const { requirement } = start;
  const { title, body, labels, url } = issue;
  const key = `reaction-${id}`;
  const ask: Ask = {
    ...start.ask,
    intent: { kind: "approve", text: "" },
    actor: by,
    thread: { number, isPull: false, title, body, labels, url },
    comment: null,
    headRef: null,
    answers: null,
    key,
    at,
  };
  const run = stableUlid(Date.parse(at), key);
  return {
    group: groupOf(ask, requirement),
    // The same 👍 counts again where a run that it started ended before it was recorded.
    key: `${key}/${start.run}`,
    work: { kind: "run", start: { ask, run, requirement } },
  };
}

function over(outcome: string): Watched {
  return { kind: "over", outcome };
}
