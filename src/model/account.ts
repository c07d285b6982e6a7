import { isoTime, sha256, type Clock } from "../shared/index.js";
import type { CallRecorder, OpenCall, Usage } from "../ledger/index.js";
import type { ModelId } from "./model-id.js";
import { costNanoUsd, inputPriceNanoUsd, type PriceTable } from "./prices.js";
import type { Attempt, Call } from "./provider.js";

const NOTHING: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
const HASH_LENGTH = 12;
/** What an answer is taken to use until it is known, so that a budget is not spent twice meanwhile. */
const USUAL_OUTPUT_TOKENS = 500;

/** What entries are written with. */
export interface Books {
  clock: Clock;
  newId(): string;
  recorder: CallRecorder;
  prices: PriceTable;
}

/** The ledger entry of one attempt, from before it is sent until its end. */
export interface Account {
  onInput(usage: Usage): void;
  /** Contract: called once. Gives what the attempt cost; what cost nothing is an entry too, so that none stays open. */
  close(attempt: Attempt, isWasted: boolean): number | null;
}

/** Opens the entry of an attempt that is about to be sent, with an estimate of what it will use. */
export function openAccount(books: Books, asked: ModelId, call: Call, attempt: number): Account {
  const { recorder, prices } = books;
  const begun = performance.now();
  const entry: OpenCall = {
    ...call.request.attribution,
    id: books.newId(),
    at: isoTime(books.clock.now()),
    provider: asked.provider,
    model: asked.model,
    usage: { ...NOTHING, input: call.promptTokens, output: Math.min(call.maxTokens, USUAL_OUTPUT_TOKENS) },
    inputPriceNanoUsd: inputPriceNanoUsd(asked.id, prices),
    attempt,
    promptVersion: sha256(call.request.system).slice(0, HASH_LENGTH),
    requestHash: sha256(JSON.stringify([asked.id, call.request.tools, call.request.messages])).slice(
      0,
      HASH_LENGTH,
    ),
  };
  recorder.begin(entry);
  return {
    onInput: (usage) => recorder.progress(entry.id, usage, costNanoUsd(usage, asked.id, prices)),
    close(ended, isWasted) {
      const usage = (ended.kind === "answered" ? ended.reply.usage : ended.usage) ?? NOTHING;
      const cost = costNanoUsd(usage, asked.id, prices);
      recorder.record({
        ...entry,
        usage,
        costNanoUsd: cost,
        durationMs: Math.round(performance.now() - begun),
        stopReason: ended.kind === "answered" ? ended.reply.stopReason : ended.kind,
        wasted: isWasted,
        ...(ended.kind !== "answered" && ended.isGuess && { isEstimate: true }),
      });
      return cost;
    },
  };
}
