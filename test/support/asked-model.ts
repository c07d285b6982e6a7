import { parseScenarios, startScriptedModel } from "../../src/forge/model/index.js";
import type { Attribution, LedgerEntry } from "../../src/ledger/index.js";
import { createModel, loadPrices, type ModelOptions, type ModelRequest } from "../../src/model/index.js";
import { createUlids } from "../../src/shared/index.js";
import { movedClock } from "./moved-clock.js";

export const ATTRIBUTION: Attribution = {
  repository: { host: "local", owner: "test", name: "shop" },
  requirement: "REQ-12",
  run: "01JB8Z0000000000000000000A",
  phase: "implement",
  task: "T1",
  agent: "implementation-executor",
  callType: "generate",
};

export const PRICES = loadPrices(new URL("../../data/prices.json", import.meta.url));

const TIERS = {
  planner: "anthropic/claude-opus-5-5",
  executor: "anthropic/claude-haiku-5-5",
  validator: "anthropic/claude-sonnet-5-5",
};

/** A model of ours at an address; retries do not wait. */
export function modelAt(baseUrl: string, options: Partial<ModelOptions> = {}) {
  const clock = movedClock();
  const entries: LedgerEntry[] = [];
  const model = createModel(
    {
      clock,
      newId: createUlids(clock),
      recorder: { begin: () => {}, progress: () => {}, record: (entry) => void entries.push(entry) },
      random: () => 0,
    },
    { apiKey: "test-key", baseUrl, tiers: TIERS, prices: PRICES, ...options },
  );
  return { model, entries, clock };
}

/** The scripted model with these scenarios, and a model of ours that asks it. */
export async function openAskedModel(scenarios: unknown[], options: Partial<ModelOptions> = {}) {
  const scripted = await startScriptedModel({
    scenarios: parseScenarios(JSON.stringify(scenarios)),
    clock: movedClock(),
    apiKey: "test-key",
  });
  return { scripted, ...modelAt(scripted.url, options), close: () => scripted.close() };
}

export function requestOf(task: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    tier: "executor",
    system: "You are a test.",
    tools: [],
    messages: [{ role: "user", content: [{ type: "text", text: task }] }],
    maxOutputTokens: 1000,
    attribution: ATTRIBUTION,
    ...more,
  };
}
