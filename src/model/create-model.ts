import { AccrueError, closest, sha256, type Clock } from "../shared/index.js";
import type { CallRecorder } from "../ledger/index.js";
import { type ProviderAccess, providerAccess } from "./access.js";
import { answerFitting } from "./answer.js";
import { askChain, type Asker, type Question, type Target } from "./ask-chain.js";
import { type Limiter, createLimiter } from "./limiter.js";
import { ANTHROPIC, readModelId, unknownProvider, type ModelId } from "./model-id.js";
import type { ModelConfig } from "./options.js";
import { withPrices, type PriceTable } from "./prices.js";
import type { Provider } from "./provider.js";
import { ProviderOptions } from "./provider-options.js";
import type { Model, ModelTurn, Tier } from "./types.js";

const DEFAULT_IDLE_MS = 60_000;
const DEFAULT_WHOLE_MS = 300_000;
const DEFAULT_TRIES = 6;
const DEFAULT_TURN_RETRIES = 2;

/** What a model needs from outside. */
export interface ModelDeps {
  clock: Clock;
  newId(): string;
  /** Told of every attempt, failed ones included. */
  recorder: CallRecorder;
  /** Between 0 and 1: spreads the retries of agents that failed together. */
  random(): number;
  /** The process's one limiter. */
  limiter: Limiter;
  /** A prompt of `rules/prompts/` with its placeholders filled. */
  prompt(name: string, values: Readonly<Record<string, string>>): string;
}

/** Which models to ask, where, and how patiently. */
export interface ModelOptions {
  settings: ModelConfig;
  /** By provider, as `providerAccess` gives it. */
  access: Readonly<Record<string, ProviderAccess>>;
  /** As shipped; `settings.prices` come over it. */
  prices: PriceTable;
  /** Longest silence of a connection, instead of each provider's own. */
  idleMs?: number;
  /** Longest time for an answer that comes as a whole. */
  wholeMs?: number;
  /** How often a model that is busy is asked. */
  maxTries?: number;
  /** How often a turn is asked again after its stream broke. */
  maxTurnRetries?: number;
}

/** Opens each provider when it is first asked: a missing key is told by the first question, and what asks no model loads no SDK. */
function createProviders(deps: ModelDeps, options: ModelOptions): (asked: ModelId) => Promise<Provider> {
  const { access, settings, idleMs, wholeMs = DEFAULT_WHOLE_MS } = options;
  const opened = new Map<string, Promise<Provider>>();
  const open = async (asked: ModelId): Promise<Provider> => {
    const own = access[asked.provider];
    if (own === undefined) throw unknownProvider(asked);
    if (asked.provider === ANTHROPIC) {
      const { createAnthropic } = await import("./anthropic/create-anthropic.js");
      return createAnthropic(own, deps.clock, { idleMs: idleMs ?? DEFAULT_IDLE_MS, wholeMs });
    }
    if (own.url === undefined) throw unknownProvider(asked);
    const quirks = ProviderOptions.parse(settings.providers[asked.provider] ?? {});
    const place = { name: asked.provider, key: own.key, url: own.url };
    const { createOpenai } = await import("./openai/create-openai.js");
    return createOpenai(deps, place, { quirks, idleMs: idleMs ?? quirks.idle_seconds * 1000 });
  };
  return (asked) => {
    const provider = opened.get(asked.provider) ?? open(asked);
    opened.set(asked.provider, provider);
    return provider;
  };
}

/** Without a price no budget can be kept, so nothing is sent. */
function priceMissing({ id }: ModelId, { models }: PriceTable): AccrueError {
  const near = closest(id, Object.keys(models));
  const hint = near === null ? "" : ` Did you mean "${near}"?`;
  return new AccrueError(
    "CONFIG_INVALID",
    `The price of the model "${id}" is not known, so no budget can be kept.${hint} Add it to .github/agent.yml as model.prices: {"${id}": {input: …, output: …, context: …, max_output: …}}, in dollars per million tokens (0 for a local model) and in tokens.`,
  );
}

/** Opens the door to the models of the three tiers. Contract: as {@link Model}; nothing is sent before the first question. */
export function createModel(deps: ModelDeps, options: ModelOptions): Model {
  const { settings, access } = options;
  const prices = withPrices(options.prices, settings.prices);
  const providerOf = createProviders(deps, options);
  const chainOf = (tier: Tier) =>
    [settings[tier]].flat().map((id) => {
      const asked = readModelId(id);
      if (access[asked.provider] === undefined) throw unknownProvider(asked);
      return asked;
    });
  const chains = {
    planner: chainOf("planner"),
    executor: chainOf("executor"),
    validator: chainOf("validator"),
  };
  const asker: Asker = {
    books: { clock: deps.clock, newId: deps.newId, recorder: deps.recorder, prices },
    limiter: deps.limiter,
    random: deps.random,
    patience: {
      maxTries: options.maxTries ?? DEFAULT_TRIES,
      maxTurnRetries: options.maxTurnRetries ?? DEFAULT_TURN_RETRIES,
    },
  };

  const targetOf = async (asked: ModelId): Promise<Target> => {
    const data = prices.models[asked.id];
    if (data === undefined) throw priceMissing(asked, prices);
    const provider = await providerOf(asked);
    const limiterKey = sha256(`${asked.provider}\n${access[asked.provider]?.key ?? ""}`);
    return { asked, provider, limiterKey, context: data.context, maxOutput: data.maxOutput };
  };
  const ask = async (question: Question, signal: AbortSignal): Promise<ModelTurn> => {
    const [first, ...others] = await Promise.all(chains[question.request.tier].map(targetOf));
    if (first === undefined) throw new Error(`The tier ${question.request.tier} has no model.`);
    return askChain(asker, [first, ...others], question, signal);
  };

  return {
    check() {
      const unpriced = Object.values(chains)
        .flat()
        .find(({ id }) => prices.models[id] === undefined);
      if (unpriced) throw priceMissing(unpriced, prices);
    },
    window(tier) {
      const data = prices.models[chains[tier][0]?.id ?? ""];
      if (data === undefined) return null;
      const { context, maxOutput, bands } = data;
      return { context, maxOutput, cheapUpTo: bands[0]?.upTo ?? null };
    },
    ask: (request, signal) => ask({ request, schema: null, isUsable: () => true }, signal),
    answer: (request, schema, signal) =>
      answerFitting(
        (question) => ask(question, signal),
        { ...request, tools: [] },
        schema,
        (problem) => deps.prompt("answer-misfit", { problem }),
      ),
  };
}

/** What the models of all repositories have in common. */
export interface ModelsOptions {
  prices: PriceTable;
  /** Keys and addresses, see {@link providerAccess}. */
  env: Readonly<Record<string, string | undefined>>;
  /** True on a server for many repositories. */
  isShared: boolean;
  /** How Anthropic is asked, where that is not the environment's to say. */
  anthropic: ProviderAccess | null;
}

/** Opens the door to the models that a repository's settings name. Throws `CONFIG_INVALID` where they name an address that is not allowed. */
export function createModels(
  { random, ...rest }: Omit<ModelDeps, "limiter">,
  options: ModelsOptions,
): (settings: ModelConfig) => Model {
  // One for all: a provider's limits are its key's, whoever asks.
  const deps = { ...rest, random, limiter: createLimiter({ random }) };
  const { env, isShared, prices, anthropic } = options;
  return (settings) => {
    const access = providerAccess(settings, env, { isShared });
    return createModel(deps, { settings, prices, access: anthropic ? { ...access, anthropic } : access });
  };
}
