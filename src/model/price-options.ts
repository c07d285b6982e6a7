import { z } from "zod";

const NANO_PER_TOKEN = 1000;
/** A call of a million tokens at this price is still counted exactly. */
const MAX_USD_PER_MILLION = 1_000_000;

/** Dollars per million tokens, as people write prices. */
export const UsdPerMillion = z
  .number()
  .nonnegative()
  .max(MAX_USD_PER_MILLION)
  .refine((usd) => Math.abs(usd * NANO_PER_TOKEN - Math.round(usd * NANO_PER_TOKEN)) < 1e-6, {
    error: "must be a multiple of 0.001 dollars per million tokens, so that bills stay exact",
  });

/** The same in whole nano-dollars per token. */
export function toNanoPerToken(usdPerMillion: number): number {
  return Math.round(usdPerMillion * NANO_PER_TOKEN);
}

const Rates = {
  input: UsdPerMillion.describe("Dollars per million uncached input tokens."),
  output: UsdPerMillion.describe("Dollars per million output tokens."),
  cache_read: UsdPerMillion.optional().describe("Default: as input."),
  cache_write: UsdPerMillion.optional().describe("Default: as input."),
};

const PriceBand = z.strictObject({
  up_to: z.int().positive().nullable().describe("Largest prompt of this band in tokens; null for the last."),
  ...Rates,
});
/** See the schema of the same name. */
export type PriceBand = z.infer<typeof PriceBand>;

/** What one model costs and holds, in `model.prices` of `.github/agent.yml`. */
export const PriceOptions = z
  .strictObject({
    context: z.int().positive().optional().describe("Tokens of prompt and answer together."),
    max_output: z.int().positive().optional().describe("Output tokens of one answer."),
    ...z.strictObject(Rates).partial().shape,
    bands: z.array(PriceBand).min(1).optional().describe("Instead of one price: prices by size of prompt."),
  })
  .refine(
    ({ bands, input, output }) => bands !== undefined || (input !== undefined && output !== undefined),
    {
      error: "needs input and output, in dollars per million tokens (0 for a local model), or bands",
    },
  )
  .refine(({ bands, ...flat }) => bands === undefined || (flat.input ?? flat.output) === undefined, {
    error: "has both one price and bands: keep one of the two",
  })
  .refine(({ bands }) => bands === undefined || bands.at(-1)?.up_to === null, {
    error: "the last band must have up_to: null",
  });

/** See the schema of the same name. */
export type PriceOptions = z.infer<typeof PriceOptions>;

/** The prices as bands: one that holds for every prompt when there is one price only. */
export function bandsOf({ bands, input = 0, output = 0, ...cache }: PriceOptions): PriceBand[] {
  return (
    bands ?? [{ up_to: null, input, output, cache_read: cache.cache_read, cache_write: cache.cache_write }]
  );
}
