import type { z } from "zod";
import { AccrueError, sleep } from "../shared/index.js";
import { openAccount, type Books } from "./account.js";
import type { Failure } from "./failure.js";
import type { Limiter } from "./limiter.js";
import type { ModelId } from "./model-id.js";
import type { Attempt, Call, Provider, Reply } from "./provider.js";
import { promptTokens } from "./sent.js";
import type { ModelRequest, ModelTurn } from "./types.js";

/** An answer shorter than this is not worth its prompt. */
const MIN_OUTPUT_TOKENS = 1024;
const MAX_RETRY_AFTER_MS = 60_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

/** One model of a chain. */
export interface Target {
  asked: ModelId;
  provider: Provider;
  /** Callers with the same key share its limits. */
  limiterKey: string;
  context: number;
  maxOutput: number;
}

/** How often one model is tried before the next, or nobody, is asked. */
export interface Patience {
  /** While it is busy. */
  maxTries: number;
  /** After its stream or connection broke. */
  maxTurnRetries: number;
}

/** What asking needs besides the question. */
export interface Asker {
  books: Books;
  limiter: Limiter;
  patience: Patience;
  random(): number;
}

/** One question to the models of a chain. */
export interface Question {
  request: ModelRequest;
  schema: z.ZodType | null;
  /** Whether an answer can be used; one that cannot is booked as wasted. */
  isUsable(reply: Reply): boolean;
}

type Ending = { reply: Reply; costNanoUsd: number | null } | { failure: Failure };

function callOf({ asked, context, maxOutput }: Target, question: Question, prompt: number): Call | null {
  const { request, schema } = question;
  const room = context - prompt;
  if (room < Math.min(MIN_OUTPUT_TOKENS, request.maxOutputTokens)) return null;
  const maxTokens = Math.min(request.maxOutputTokens, maxOutput, room);
  return { request, model: asked.model, maxTokens, promptTokens: prompt, schema };
}

function overflow({ asked, context }: Target, prompt: number): AccrueError {
  return new AccrueError(
    "MODEL_OVERFLOW",
    `The request is about ${prompt} tokens, which leaves no room for an answer in the ${context} of ${asked.id}. Give the agent less context, or use a model with a larger window.`,
  );
}

/** Waits for as long as makes sense before the next try of the same model; false when there should be none. */
async function waitToRetry(
  asker: Asker,
  target: Target,
  { failure, count }: { failure: Failure; count: number },
  signal: AbortSignal,
): Promise<boolean> {
  const { maxTries, maxTurnRetries } = asker.patience;
  const retries = { ours: 0, busy: maxTries - 1, broken: maxTurnRetries }[failure.kind];
  if (count > retries || (failure.retryAfterMs ?? 0) > MAX_RETRY_AFTER_MS) return false;
  // The place in the queue is given up meanwhile; who asks with the same key waits as well.
  if (failure.retryAfterMs) asker.limiter.pause(target.limiterKey, failure.retryAfterMs);
  else await sleep(asker.random() * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - 1)), signal);
  return true;
}

async function tryOnce(
  asker: Asker,
  target: Target,
  { call, tries, isUsable }: { call: Call; tries: number; isUsable(reply: Reply): boolean },
  signal: AbortSignal,
): Promise<{ attempt: Attempt; costNanoUsd: number | null }> {
  const work = async () => {
    call.request.admit?.();
    const account = openAccount(asker.books, target.asked, call, tries);
    const attempt = await target.provider.attempt(call, account.onInput, signal).catch((fault: unknown) => {
      account.close({ kind: "cancelled", usage: null, isGuess: false }, true);
      throw fault;
    });
    const isUsed = attempt.kind === "answered" && isUsable(attempt.reply);
    return { attempt, costNanoUsd: account.close(attempt, !isUsed) };
  };
  return asker.limiter.run(target.limiterKey, work, signal);
}

/** Asks one model until it answers or patience ends. `tries` counts on over the whole chain. */
async function askTarget(
  asker: Asker,
  target: Target,
  turn: { call: Call; tries: { count: number }; isUsable(reply: Reply): boolean },
  signal: AbortSignal,
): Promise<Ending> {
  const failures = { ours: 0, busy: 0, broken: 0 };
  for (;;) {
    signal.throwIfAborted();
    const tries = ++turn.tries.count;
    const { attempt, costNanoUsd } = await tryOnce(asker, target, { ...turn, tries }, signal);
    if (attempt.kind === "answered") return { reply: attempt.reply, costNanoUsd };
    if (attempt.kind === "cancelled") throw signal.reason;
    const { failure } = attempt;
    const count = ++failures[failure.kind];
    if (!(await waitToRetry(asker, target, { failure, count }, signal))) return { failure };
  }
}

/**
 * Asks the first model, and each next one when those before it are overloaded or refuse. Contract: rejects as {@link Model};
 * what cannot be helped by another model (a fault of ours) is not tried with one.
 */
export async function askChain(
  asker: Asker,
  [first, ...others]: readonly [Target, ...Target[]],
  question: Question,
  signal: AbortSignal,
): Promise<ModelTurn> {
  const prompt = promptTokens(question.request);
  if (callOf(first, question, prompt) === null) throw overflow(first, prompt);
  const fitting = [first, ...others].flatMap((target) => {
    const call = callOf(target, question, prompt);
    return call === null ? [] : [{ target, call }];
  });
  const tries = { count: 0 };
  let lastFailure: Failure | null = null;
  for (const [at, { target, call }] of fitting.entries()) {
    const isLast = at === fitting.length - 1;
    const isFinal = (reply: Reply) => isLast || reply.stopReason !== "refusal";
    const isUsable = (reply: Reply) => isFinal(reply) && question.isUsable(reply);
    const ending = await askTarget(asker, target, { call, tries, isUsable }, signal);
    if ("failure" in ending) {
      lastFailure = ending.failure;
      if (lastFailure.kind === "ours") break;
    } else if (isFinal(ending.reply)) {
      return { ...ending.reply, model: target.asked.model, costNanoUsd: ending.costNanoUsd };
    }
  }
  throw lastFailure?.error ?? overflow(first, prompt);
}
