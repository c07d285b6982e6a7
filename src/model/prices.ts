import { readFileSync } from "node:fs";
import { z } from "zod";
import { AccrueError, messageOf } from "../shared/index.js";
import type { Usage } from "../ledger/index.js";
import { bandsOf, toNanoPerToken, UsdPerMillion, type PriceOptions } from "./price-options.js";

/** Dollars per million tokens as people write them, turned into whole nano-dollars per token. */
const Price = UsdPerMillion.transform(toNanoPerToken);

const Band = z.strictObject({
  /** Largest prompt that this band holds for, in tokens; null for the last band. */
  upTo: z.int().positive().nullable(),
  input: Price,
  output: Price,
  cacheWrite: Price,
  cacheRead: Price,
});

const ModelPrice = z.strictObject({
  context: z.int().positive(),
  maxOutput: z.int().positive(),
  bands: z
    .array(Band)
    .min(1)
    .refine((bands) => bands.at(-1)?.upTo === null, { error: "the last band must have upTo: null" }),
});

const PriceFile = z.strictObject({
  asOf: z.iso.date(),
  unit: z.string(),
  models: z.record(z.string(), ModelPrice),
});

/** What models cost and hold, by `provider/model`. Prices are nano-dollars per token. */
export type PriceTable = z.output<typeof PriceFile>;

/** Reads the dated price table that ships as `data/prices.json`, or one of an operator's own. */
export function loadPrices(file: URL): PriceTable {
  let raw: unknown;
  try {
    raw = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new AccrueError(
      "CONFIG_INVALID",
      `The price table ${file.pathname} cannot be read: ${messageOf(cause)}. Restore the file.`,
      { cause },
    );
  }
  const parsed = PriceFile.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw new AccrueError(
    "CONFIG_INVALID",
    `The price table ${file.pathname} is wrong:\n${z.prettifyError(parsed.error)}\nCorrect these keys.`,
  );
}

/** The price table with a repository's own `model.prices` over it. */
export function withPrices(shipped: PriceTable, own: Readonly<Record<string, PriceOptions>>): PriceTable {
  const entries = Object.entries(own).map(([id, options]) => {
    const context = options.context ?? shipped.models[id]?.context;
    const maxOutput = options.max_output ?? shipped.models[id]?.maxOutput;
    if (context === undefined || maxOutput === undefined) {
      const message = `model.prices."${id}" needs context and max_output, because the price table does not know this model. Add both, in tokens.`;
      throw new AccrueError("CONFIG_INVALID", message);
    }
    const bands = bandsOf(options).map(({ up_to, input, output, cache_read, cache_write }) => ({
      upTo: up_to,
      input: toNanoPerToken(input),
      output: toNanoPerToken(output),
      cacheRead: toNanoPerToken(cache_read ?? input),
      cacheWrite: toNanoPerToken(cache_write ?? input),
    }));
    return [id, { context, maxOutput, bands }] as const;
  });
  return { ...shipped, models: { ...shipped.models, ...Object.fromEntries(entries) } };
}

/**
 * What one call cost, in exact nano-dollars; null when the price of `provider/model` is unknown. A band holds for the whole
 * request, so a prompt one token over its limit is billed at the next band throughout.
 */
export function costNanoUsd(usage: Usage, model: string, prices: PriceTable): number | null {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  const band = prices.models[model]?.bands.find(({ upTo }) => upTo === null || prompt <= upTo);
  if (band === undefined) return null;
  return (
    usage.input * band.input +
    usage.cacheRead * band.cacheRead +
    usage.cacheWrite * band.cacheWrite +
    usage.output * band.output
  );
}

/** The price that weighted tokens are counted in: an uncached input token of a short prompt. */
export function inputPriceNanoUsd(model: string, prices: PriceTable): number | null {
  return prices.models[model]?.bands[0]?.input ?? null;
}
