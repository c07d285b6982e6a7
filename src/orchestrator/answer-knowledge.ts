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
import { forgottenText, instructedText, secretText } from "./texts/forgotten.js";
import { rememberedText } from "./texts/remembered.js";
import { saying } from "./texts/replies.js";
import type { Links } from "./texts/words.js";
import type { EngineDeps } from "./types.js";

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
    return instructedText(language, added, { ...shown, remark });
  }
  const remembered = await remember(scene, { remark, mirror }, deps);
  return rememberedText(language, { ...remembered, ...shown, remark, mention: settings.mention });
}

/** Retires what a person names, and answers with where that stands and how to undo it. */
export function answerForget(scene: Scene, deps: EngineDeps): Promise<Decision> {
  const { ask, language, settings } = scene;
  return told(scene, "notForgotten", async () => {
    const ids = idsIn("text" in ask.intent ? ask.intent.text : "");
    if (ids.length === 0) return saying("whatToForget", language, "", settings.mention);
    const mirror = await openMirror(deps, scene, scene.signal);
    const forgotten = await forgetKnowledge(scene, { ids, mirror }, deps);
    return forgottenText(language, forgotten, shownOn(scene));
  });
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
