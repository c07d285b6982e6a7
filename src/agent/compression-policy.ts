import type { ModelWindow } from "../model/index.js";
import type { LineOf } from "./transcript-line.js";
import type { Compression } from "./types.js";

/** A request has to leave room for an answer that is worth something. */
const MIN_ANSWER_TOKENS = 1_024;
const CHEAP_SHARE = 0.9;
const GROWTH = 1.2;
const MAX_FAILURES = 2;
/** What a forced compression aims at, and the least it must reach, as shares of the size before. */
const FORCED_AIM = 0.5;
const FORCED_LIMIT = 0.8;

/** How small a conversation has to become. */
export interface Aim {
  turn: number;
  /** Moving results is enough when it comes down to this. */
  tokens: number;
  /** When what has to stay is more than this, no summary is asked for. */
  limit: number;
  /** True when it cannot be sent as it is: then the newest results may be moved as well. */
  isForced: boolean;
  /** False when the agent has no tool to read a file with that a result was moved to. */
  canMove: boolean;
}

/** Decides when a conversation is compressed. */
export interface CompressionPolicy {
  /** What to aim at before a turn; null when all is well, or when another try would bring next to nothing. */
  due(turn: number, size: number): Aim | null;
  /** What to aim at when the conversation did not fit. */
  forced(turn: number, size: number): Aim;
  /** True when there is no room for an answer. */
  isFull(size: number): boolean;
  observe(line: LineOf<"compressed">): void;
}

/** Begins at the smallest of: a share of the window, a number of tokens, and what is cheap. Without a known window the number alone holds. */
export function createCompressionPolicy(
  { at, atTokens }: Compression,
  window: ModelWindow | null,
  canMove: boolean,
): CompressionPolicy {
  const context = window?.context ?? Infinity;
  const cheap = window?.cheapUpTo ?? Infinity;
  const threshold = Math.floor(Math.min(at * context, atTokens, CHEAP_SHARE * cheap));
  let failures = 0;
  /** What the last try left. */
  let leftAt = 0;

  const isFull = (size: number) => size + MIN_ANSWER_TOKENS > context;
  const forced = (turn: number, size: number): Aim => {
    const limit = Math.floor(Math.min(FORCED_LIMIT * size, context - MIN_ANSWER_TOKENS));
    const tokens = Math.floor(Math.min(threshold, FORCED_AIM * size));
    return { turn, tokens, limit, isForced: true, canMove };
  };

  return {
    isFull,
    forced,
    due(turn, size) {
      if (isFull(size)) return forced(turn, size);
      const mayHelp = failures < MAX_FAILURES && size >= leftAt * GROWTH;
      if (size < threshold || !mayHelp) return null;
      return { turn, tokens: threshold, limit: threshold, isForced: false, canMove };
    },
    observe({ status, before, after, problem }) {
      if (problem === "") failures = 0;
      else if (status !== "NOOP") failures += 1;
      leftAt = status === "COMPRESSED" ? after : before;
    },
  };
}
