import Anthropic from "@anthropic-ai/sdk";
import { AccrueError, isoTime, sha256, sleep, type Clock } from "../shared/index.js";
import type { CallRecorder, Usage } from "../ledger/index.js";
import { attemptTurn, type Attempt, type Line } from "./attempt.js";
import { costNanoUsd, inputPriceNanoUsd, type PriceTable } from "./prices.js";
import type { Model, ModelRequest, ModelTurn, Tier } from "./types.js";
import { toWire } from "./wire.js";

const PROVIDER = "anthropic";
const DEFAULT_BASE_URL = "https://api.anthropic.com";
const DEFAULT_IDLE_MS = 60_000;
const DEFAULT_TURN_RETRIES = 2;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

/** What a model needs from outside. */
export interface ModelDeps {
  clock: Clock;
  newId(): string;
  /** Told of every attempt, failed ones included. */
  recorder: CallRecorder;
  /** Between 0 and 1: spreads the retries of agents that failed together. */
  random(): number;
}

/** Which models to ask, and how patiently. */
export interface ModelOptions {
  /** Empty: nothing can be asked, and the first question says so. */
  apiKey: string;
  baseUrl?: string;
  /** `provider/model`, such as `anthropic/claude-haiku-5-5`. */
  tiers: Readonly<Record<Tier, string>>;
  /** Longest silence of a connection. */
  idleMs?: number;
  /** How often a turn is asked again after its stream broke. */
  maxTurnRetries?: number;
  prices: PriceTable;
}

function modelName(id: string): string {
  const [provider, name, ...rest] = id.split("/");
  if (provider === PROVIDER && name && rest.length === 0) return name;
  throw new AccrueError(
    "CONFIG_INVALID",
    `The model "${id}" is not known. Write it as ${PROVIDER}/<model>, such as ${PROVIDER}/claude-haiku-5-5.`,
  );
}

function openClient(options: ModelOptions): Anthropic {
  if (options.apiKey === "") {
    throw new AccrueError(
      "MODEL_KEY_MISSING",
      "There is no key to ask a model with. Set ANTHROPIC_API_KEY in the environment.",
    );
  }
  return new Anthropic({
    apiKey: options.apiKey,
    authToken: null,
    baseURL: options.baseUrl ?? DEFAULT_BASE_URL,
    logLevel: "off",
  });
}

/** Opens the door to the models of the three tiers. Contract: as {@link Model}; nothing is sent before the first question. */
export function createModel(deps: ModelDeps, options: ModelOptions): Model {
  const names = {
    planner: modelName(options.tiers.planner),
    executor: modelName(options.tiers.executor),
    validator: modelName(options.tiers.validator),
  };
  const retries = options.maxTurnRetries ?? DEFAULT_TURN_RETRIES;
  let line: Line | null = null;

  /** Writes the ledger entry of one attempt and gives its cost. */
  const account = (request: ModelRequest, tries: number, durationMs: number, attempt: Attempt) => {
    const usage: Usage | null = attempt.kind === "answered" ? attempt.reply.usage : attempt.usage;
    if (usage === null) return null;
    const model = names[request.tier];
    const cost = costNanoUsd(usage, `${PROVIDER}/${model}`, options.prices);
    deps.recorder.record({
      ...request.attribution,
      id: deps.newId(),
      at: isoTime(deps.clock.now()),
      provider: PROVIDER,
      model,
      usage,
      costNanoUsd: cost,
      inputPriceNanoUsd: inputPriceNanoUsd(`${PROVIDER}/${model}`, options.prices),
      durationMs,
      stopReason: attempt.kind === "answered" ? attempt.reply.stopReason : attempt.kind,
      attempt: tries,
      promptVersion: sha256(request.system).slice(0, 12),
      wasted: attempt.kind !== "answered",
    });
    return cost;
  };

  return {
    window(tier) {
      const data = options.prices.models[`${PROVIDER}/${names[tier]}`];
      if (data === undefined) return null;
      const { context, maxOutput, bands } = data;
      return { context, maxOutput, cheapUpTo: bands[0]?.upTo ?? null };
    },
    async ask(request, signal): Promise<ModelTurn> {
      line ??= {
        client: openClient(options),
        clock: deps.clock,
        idleMs: options.idleMs ?? DEFAULT_IDLE_MS,
      };
      const model = names[request.tier];
      const maxOutput = options.prices.models[`${PROVIDER}/${model}`]?.maxOutput ?? Infinity;
      const params = toWire(request, model, maxOutput);
      for (let tries = 1; ; tries++) {
        signal.throwIfAborted();
        const started = performance.now();
        const attempt = await attemptTurn(line, params, signal);
        const cost = account(request, tries, Math.round(performance.now() - started), attempt);
        if (attempt.kind === "answered") return { ...attempt.reply, model, costNanoUsd: cost };
        if (attempt.kind === "cancelled") throw signal.reason;
        if (!attempt.again || tries > retries) throw attempt.error;
        const limit = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
        await sleep(deps.random() * limit, signal);
      }
    },
  };
}
