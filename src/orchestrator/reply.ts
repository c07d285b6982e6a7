import { marker } from "../shared/index.js";
import type { Decision } from "./decision.js";
import type { Scene } from "./scene.js";
import { quiet } from "./texts/quiet.js";

/** Posts the answer to an ask once, however often it is tried. */
export async function reply(scene: Scene, text: string): Promise<Decision> {
  const { ask, doors, settings, attempt, signal } = scene;
  signal.throwIfAborted();
  const said = quiet(text, settings.mention);
  const write = async (retry: boolean) => {
    const thread = ask.replyTo ?? ask.thread?.number;
    if (doors.port && thread !== undefined)
      await doors.port.addComment(thread, marker("reply", ask.key), said, retry);
  };
  await write(attempt > 1);
  // Whoever took this over meanwhile may have answered too: the older answer stays.
  if (signal.aborted) await write(true);
  return { kind: "answered", outcome: `answered ${ask.intent.kind}` };
}

/** Nothing is done: a person who wrote gets an answer, for an event the reason is recorded. */
export async function decline(scene: Scene, reason: string): Promise<Decision> {
  if (scene.ask.comment) await reply(scene, reason);
  return { kind: "answered", outcome: `ignored: ${reason}` };
}
