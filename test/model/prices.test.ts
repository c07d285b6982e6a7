import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { costNanoUsd, loadPrices, ModelConfig } from "../../src/model/index.js";
import { withPrices } from "../../src/model/prices.js";
import { PRICES } from "../support/asked-model.js";

const usage = (input: number, cacheRead = 0, cacheWrite = 0, output = 0) => ({
  input,
  cacheRead,
  cacheWrite,
  output,
});

describe("the price of a call", () => {
  it("RT-56: equals the calculation by hand, each class at its own price", () => {
    // 98,805 prompt tokens of Sonnet 5.5: 10 uncached at $2, 66,360 read at $0.10, 32,435 written at $2.50; 500 out at $10.
    expect(costNanoUsd(usage(10, 66_360, 32_435, 500), "anthropic/claude-sonnet-5-5", PRICES)).toBe(
      10 * 2000 + 66_360 * 100 + 32_435 * 2500 + 500 * 10_000,
    );
  });

  it("RT-53: counts all of 3 input, 109,075 cache write and 81 output", () => {
    expect(costNanoUsd(usage(3, 0, 109_075, 81), "anthropic/claude-opus-5-5", PRICES)).toBe(
      3 * 4000 + 109_075 * 5000 + 81 * 20_000,
    );
  });

  it("moves the whole request to the next band one token over the limit", () => {
    const haiku = "anthropic/claude-haiku-5-5";
    expect(costNanoUsd(usage(40_000, 60_000), haiku, PRICES)).toBe(40_000 * 100 + 60_000 * 10);
    expect(costNanoUsd(usage(40_001, 60_000), haiku, PRICES)).toBe(40_001 * 500 + 60_000 * 50);
  });

  it("is unknown for an unknown model", () => {
    expect(costNanoUsd(usage(1), "anthropic/claude-next", PRICES)).toBeNull();
  });

  it("is a whole number of nano-dollars for any use of any model", () => {
    const count = fc.nat({ max: 5_000_000 });
    const models = fc.constantFrom(...Object.keys(PRICES.models));
    fc.assert(
      fc.property(models, count, count, count, (model, a, b, c) => {
        expect(Number.isSafeInteger(costNanoUsd(usage(a, b, c, a), model, PRICES))).toBe(true);
      }),
    );
  });
});

describe("prices of one's own", () => {
  const own = (prices: object) => withPrices(PRICES, ModelConfig.parse({ prices }).prices);

  it("come over those that ship, and leave the window and the other models alone", () => {
    const table = own({ "anthropic/claude-opus-5-5": { input: 3, output: 15, cache_read: 0.15 } });
    expect(table.models["anthropic/claude-opus-5-5"]).toEqual({
      context: 1_000_000,
      maxOutput: 128_000,
      bands: [{ upTo: null, input: 3000, output: 15_000, cacheRead: 150, cacheWrite: 3000 }],
    });
    expect(table.models["anthropic/claude-haiku-5-5"]).toEqual(PRICES.models["anthropic/claude-haiku-5-5"]);
  });

  it("may be bands, and 0", () => {
    const bands = [
      { up_to: 1000, input: 0, output: 0 },
      { up_to: null, input: 0.5, output: 1 },
    ];
    const table = own({ "lab/qwen3": { context: 8000, max_output: 1000, bands } });
    expect(costNanoUsd(usage(500, 500, 0, 100), "lab/qwen3", table)).toBe(0);
    expect(costNanoUsd(usage(501, 500, 0, 100), "lab/qwen3", table)).toBe(1001 * 500 + 100 * 1000);
  });

  it("say what a new model holds", () => {
    expect(() => own({ "lab/qwen3": { input: 0, output: 0 } })).toThrow(
      /model\.prices\."lab\/qwen3" needs context/,
    );
  });
});

describe("a price table", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "accrue-prices-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const load = async (text: string) => {
    await writeFile(join(folder, "prices.json"), text);
    return loadPrices(pathToFileURL(join(folder, "prices.json")));
  };
  const table = (input: number, upTo: number | null) =>
    JSON.stringify({
      asOf: "2026-11-20",
      unit: "",
      models: {
        "anthropic/x": {
          context: 1000,
          maxOutput: 100,
          bands: [{ upTo, input, output: 1, cacheWrite: 1, cacheRead: 1 }],
        },
      },
    });

  it("names the key that is wrong", async () => {
    await expect(load('{"asOf":"2026-11-20","unit":"","model":{}}')).rejects.toThrow(/model/);
    await expect(load("{")).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("refuses a price that nano-dollars cannot hold, and an open last band", async () => {
    await expect(load(table(0.00015, null))).rejects.toThrow(/multiple of 0.001/);
    await expect(load(table(2_000_000, null))).rejects.toThrow(/input/);
    await expect(load(table(1, 500))).rejects.toThrow(/upTo: null/);
    await expect(load(table(0.125, null))).resolves.toHaveProperty(["models", "anthropic/x"]);
  });
});
