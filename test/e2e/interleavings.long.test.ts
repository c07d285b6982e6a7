import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stories, tell } from "../support/chaos.js";
import { type ModelGate, startModelGate } from "../support/model-gate.js";
import { sumOf } from "../support/audit.js";
import { startTinyStack } from "../support/place.js";
import type { Stack } from "../support/stack.js";
import { ledgerOf } from "../support/story-audit.js";

const SEED = 6;
const STORIES = 200;
const SIDE_BY_SIDE = 4;
const LONG_MS = 300_000;

let stack: Stack;
let gate: ModelGate;
beforeAll(async () => {
  const env: Record<string, string> = { ACCRUE_WORKERS: String(SIDE_BY_SIDE) };
  stack = await startTinyStack({ env, start: false });
  gate = await startModelGate(stack.model.url);
  env["ANTHROPIC_BASE_URL"] = gate.url;
  await stack.startServer();
});
afterAll(async () => {
  await stack.close();
  await gate.close();
});

const all = stories(SEED, STORIES);
const batches = Array.from({ length: STORIES / SIDE_BY_SIDE }, (_, at) => ({
  first: at * SIDE_BY_SIDE + 1,
  told: all.slice(at * SIDE_BY_SIDE, (at + 1) * SIDE_BY_SIDE),
}));

describe("events, crashes, restarts, people's edits and second requirements in any order", () => {
  it.each(batches)(
    "lose no work, repeat none and touch nothing of people's: stories from $first on",
    async ({ told }) => {
      await tell(stack, told);
    },
    LONG_MS,
  );

  it("are billed for what the model was paid, and what nobody read is guessed and said to be", () => {
    const paid = sumOf(gate.paid());
    const booked = ledgerOf(stack);
    for (const key of ["calls", "input", "cacheRead", "cacheWrite", "output"] as const)
      expect(booked[key], key).toBeLessThanOrEqual(paid[key]);
    expect(booked.calls + booked.estimated).toBeGreaterThanOrEqual(paid.calls);
  });
});
