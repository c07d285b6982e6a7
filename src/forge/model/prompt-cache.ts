import { createHash } from "node:crypto";
import { estimateTokens, type Clock } from "../../shared/index.js";
import type { MessagesRequest } from "./request.js";

const TTL_MS = 5 * 60_000;
const LOOK_BACK_BLOCKS = 20;
const MAX_ENTRIES = 10_000;

/** Smallest prefix that is cached, in tokens, where it is published; the models of other names cache any. */
const MIN_PREFIX: readonly [RegExp, number][] = [
  [/^claude-(?:opus|fable)-5$/, 512],
  [/^claude-opus-4-8/, 1024],
  [/^claude-sonnet-(?:5$|4-[56])/, 1024],
  [/^claude-opus-4-7/, 2048],
  [/^claude-(?:opus-4-[56]|haiku-4-5)/, 4096],
];

/** Input tokens of one request in the three classes that are billed apart. */
export interface InputUsage {
  input_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
}

interface Part {
  /** Identifies everything up to and with this block. */
  key: string;
  tokensUpTo: number;
  marked: boolean;
}

/** The prompt in the order in which the API caches it: tools, system, messages. */
function partsOf(request: MessagesRequest): Part[] {
  const blocks = [
    ...request.tools.map((tool) => ({ role: "tools", block: tool })),
    ...request.system.map((block) => ({ role: "system", block })),
    ...request.messages.flatMap(({ role, content }) => content.map((block) => ({ role, block }))),
  ];
  const hash = createHash("sha256").update(request.model);
  let tokensUpTo = 0;
  return blocks.map(({ role, block: { cache_control, ...rest } }) => {
    const text = `${role}${JSON.stringify(rest)}`;
    tokensUpTo += estimateTokens(text);
    return { key: hash.update(text).copy().digest("hex"), tokensUpTo, marked: Boolean(cache_control) };
  });
}

/** All input tokens of a request, by the same estimate as its usage. */
export function countTokens(request: MessagesRequest): number {
  return partsOf(request).at(-1)?.tokensUpTo ?? 0;
}

/** A prompt cache that is kept and billed as the real one. */
export interface PromptCache {
  /** What the request reads from the cache and writes into it. */
  account(request: MessagesRequest): InputUsage;
}

/** Starts empty; entries live five minutes from their last use. */
export function createPromptCache(clock: Clock): PromptCache {
  const expiries = new Map<string, number>();

  const isKept = (part: Part | undefined) => (expiries.get(part?.key ?? "") ?? 0) > clock.now();
  const keep = (key: string) => {
    expiries.delete(key);
    expiries.set(key, clock.now() + TTL_MS);
    const [oldest] = expiries.keys();
    if (expiries.size > MAX_ENTRIES && oldest !== undefined) expiries.delete(oldest);
  };

  return {
    account(request) {
      const parts = partsOf(request);
      const least = MIN_PREFIX.find(([name]) => name.test(request.model))?.[1] ?? 0;
      // A mark that closes too little is no error: nothing is cached there.
      const marks = parts.flatMap(({ marked, tokensUpTo }, index) =>
        marked && tokensUpTo >= least ? [index] : [],
      );
      const hits = marks.map((mark) => {
        const from = Math.max(0, mark - LOOK_BACK_BLOCKS);
        return parts.findLastIndex((part, at) => at >= from && at <= mark && isKept(part));
      });
      const read = parts[Math.max(-1, ...hits)]?.tokensUpTo ?? 0;
      const upTo = parts[marks.at(-1) ?? -1]?.tokensUpTo ?? 0;
      const total = parts.at(-1)?.tokensUpTo ?? 0;
      for (const index of [...hits, ...marks]) {
        const key = parts[index]?.key;
        if (key !== undefined) keep(key);
      }
      return {
        input_tokens: total - upTo,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: upTo - read,
      };
    },
  };
}
