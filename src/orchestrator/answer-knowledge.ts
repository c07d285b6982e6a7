import { findSecrets } from "../memory/index.js";
import { isAccrueError, messageOf } from "../shared/index.js";
import { addToInstructions } from "./add-to-instructions.js";
import type { Decision } from "./decision.js";
import { forgetKnowledge, idsIn } from "./forget-knowledge.js";
import { reactionTarget } from "./github-front.js";
import { linksOf } from "./texts/links.js";
import { type Remark, remarkOf } from "./remark.js";
import { remember } from "./remember.js";
import { reply } from "./reply.js";
import { openMirror } from "./resources.js";
import type { Scene } from "./scene.js";
import { type SharedPlace, sharedHome } from "./shared-place.js";
import { forgottenText, instructedText, secretText } from "./texts/forgotten.js";
import { keptHereText, notSearchedText } from "./texts/shared-home.js";
import { rememberedText } from "./texts/remembered.js";
import { saying } from "./texts/replies.js";
import type { Links } from "./texts/words.js";
import type { EngineDeps } from "./types.js";
import { mayTrigger } from "./who-may.js";

/** Records what a person teaches, and answers with what was understood and what became of it; asks when nothing fits. */
export function answerRemark(scene: Scene, deps: EngineDeps): Promise<Decision> {
  return told(scene, "notRecorded", async () => {
    const mirror = await openMirror(deps, scene, scene.signal);
    const remark = await remarkOf(scene, deps, mirror);
    if (remark === null) return saying("whatIsMeant", scene.language);
    return recordedText(scene, { remark, mirror }, deps);
  });
}

async function recordedText(
  scene: Scene,
  { remark, mirror }: { remark: Remark; mirror: Awaited<ReturnType<typeof openMirror>> },
  deps: EngineDeps,
): Promise<string> {
  const { ask, language, settings } = scene;
  const secrets = [...new Set(findSecrets(remark.text).map(({ kind }) => kind))];
  if (secrets.length > 0) return secretText(language, secrets, remark);
  const shown = shownOn(scene);
  if (ask.intent.kind === "remember" && ask.intent.into === "instructions") {
    const added = await addToInstructions(scene, { remark, mirror }, deps);
    return instructedText(language, added, { ...shown, remark, repository: "" });
  }
  const home = await sharedHome(scene, deps);
  const shared = home.kind === "open" ? home.place : null;
  const judged = shared === null ? remark : { ...remark, trust: await trustThere(remark, shared) };
  const remembered = await remember(scene, { remark: judged, mirror, shared }, deps);
  const at = shared === null ? shown : shownOn(shared.scene);
  const view = { ...remembered, ...at, remark: judged, mention: settings.mention };
  const text = rememberedText(language, { ...view, repository: shared?.name ?? "" });
  const isKept = home.kind === "closed" && remembered.made.deposits.length > 0;
  return isKept ? `${text}\n\n${keptHereText(language, home)}` : text;
}

/** Words of somebody whom the shared repository does not listen to wait for a person there, whatever they may do here. */
async function trustThere({ kind, by, trust }: Remark, { scene }: SharedPlace): Promise<Remark["trust"]> {
  return kind !== "comment" || (await mayTrigger(scene, by)) ? trust : "untrusted";
}

/** Retires what a person names, and answers with where that stands and how to undo it. */
export function answerForget(scene: Scene, deps: EngineDeps): Promise<Decision> {
  const { ask, language, settings } = scene;
  return told(scene, "notForgotten", async () => {
    const ids = idsIn("text" in ask.intent ? ask.intent.text : "");
    if (ids.length === 0) return saying("whatToForget", language, "", settings.mention);
    return forgotten(scene, ids, deps);
  });
}

/** Looks first where several repositories share what they know, then here for the rest. */
async function forgotten(scene: Scene, ids: readonly string[], deps: EngineDeps): Promise<string> {
  const { language } = scene;
  const home = await sharedHome(scene, deps);
  const texts: string[] = [];
  let left: readonly string[] = ids;
  if (home.kind === "open") {
    const { name, scene: there, mirror } = home.place;
    const done = await forgetKnowledge(there, { ids, mirror }, deps);
    const { retired } = done.made;
    left = ids.filter((id) => !retired.includes(id));
    const made = { ...done.made, unknown: [] };
    if (retired.length > 0)
      texts.push(forgottenText(language, { ...done, made }, { ...shownOn(there), repository: name }));
  }
  if (left.length > 0) {
    const mirror = await openMirror(deps, scene, scene.signal);
    const done = await forgetKnowledge(scene, { ids: left, mirror }, deps);
    texts.push(forgottenText(language, done, { ...shownOn(scene), repository: "" }));
    if (home.kind === "closed" && done.made.unknown.length > 0) texts.push(notSearchedText(language, home));
  }
  return texts.join("\n\n");
}

/** Answers with a text that takes a moment to make. Who asked is told when it did not work; what may work later is tried again. */
async function told(
  scene: Scene,
  trouble: "notRecorded" | "notForgotten",
  text: () => Promise<string>,
): Promise<Decision> {
  const { ask, doors, language } = scene;
  const target = reactionTarget(ask);
  if (doors.port && target) await doors.port.react(target, "eyes");
  try {
    return await reply(scene, await text());
  } catch (error) {
    if (!isAccrueError(error) || error.retryable) throw error;
    await reply(scene, saying(trouble, language, messageOf(error)));
    return { kind: "answered", outcome: `${ask.intent.kind} failed: ${messageOf(error)}` };
  }
}

function shownOn({ doors }: Scene): { links: Links; commit: (sha: string) => string } {
  const { port } = doors;
  if (port) return { links: linksOf(port), commit: (sha) => port.web(`commit/${sha}`) };
  return {
    links: { branch: (name) => name, file: (_, path) => path },
    commit: (sha) => sha,
  };
}
