import { inertLine, isAccrueError, marker } from "../shared/index.js";
import type { Decision } from "./decision.js";
import { findAnswer } from "./find-answer.js";
import { reactionTarget } from "./github-front.js";
import { ownWords } from "./own-words.js";
import { decline, reply } from "./reply.js";
import { groupOf } from "./requirement-of.js";
import type { Scene } from "./scene.js";
import { answerText } from "./texts/answer.js";
import { quiet } from "./texts/quiet.js";
import { saying } from "./texts/replies.js";
import type { EngineDeps } from "./types.js";

/** The questions of a thread, one after the other, beside whatever else goes on there. */
export function questionsOf({ ask, requirement }: Pick<Scene, "ask" | "requirement">): string {
  return groupOf(ask, `${requirement ?? ""}/questions`);
}

/** Queues a question: looking takes longer than a person waits. */
export async function takeQuestion(scene: Scene): Promise<Decision> {
  const { ask, language, settings, doors } = scene;
  const text = "text" in ask.intent ? ask.intent.text : "";
  if (ownWords(text).trim() === "")
    return decline(scene, saying("whatToAsk", language, "", settings.mention));
  const target = reactionTarget(ask);
  if (doors.port && target) await doors.port.react(target, "eyes");
  return { kind: "work", group: questionsOf(scene), work: { kind: "question", ask } };
}

/**
 * Answers a question on its thread, once: a second try after a crash finds the answer of the first. Gives a sentence for the
 * record.
 */
export async function answerOnThread(scene: Scene, deps: EngineDeps): Promise<string> {
  if (await isAnswered(scene)) return "answered ask: an earlier try did";
  try {
    const answered = await findAnswer(scene, deps);
    // Looked for once more: whoever took this over meanwhile may have been faster.
    await reply({ ...scene, attempt: 2 }, answerText(scene, answered));
    return answered.answer === null
      ? `failed: ask: ${answered.reason || "the budget is used up"}`
      : "answered ask";
  } catch (error) {
    if (isAccrueError(error, "RUN_STOPPED") && !error.retryable) await sayStopped(scene, error.message);
    throw error;
  }
}

async function isAnswered({ ask, doors }: Scene): Promise<boolean> {
  if (!doors.port || !ask.thread) return false;
  const sign = marker("reply", ask.key);
  const all = await doors.port.comments(ask.thread.number);
  return all.some(({ body, author }) => author?.login === doors.self && body.startsWith(sign));
}

async function sayStopped({ ask, doors, settings }: Scene, message: string): Promise<void> {
  if (!doors.port || !ask.thread) return;
  const said = quiet(`⏸ **${inertLine(message)}**`, settings.mention);
  await doors.port.addComment(ask.thread.number, marker("reply", ask.key), said, true);
}
