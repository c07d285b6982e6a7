import { afterEach } from "vitest";
import { parseScenarios, startScriptedModel } from "../../src/forge/model/index.js";
import type { z } from "zod";
import type { Attribution, LedgerEntry, Usage } from "../../src/ledger/index.js";
import {
  createLimiter,
  createModel,
  loadPrices,
  ModelConfig,
  type ModelOptions,
  type ModelRequest,
} from "../../src/model/index.js";
import { createUlids } from "../../src/shared/index.js";
import { loadSkills } from "../../src/skills/index.js";
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

/** How a test asks: `config` is written as in `.github/agent.yml`. */
export interface AskedOptions extends Partial<ModelOptions> {
  config?: z.input<typeof ModelConfig>;
  key?: string;
  parallel?: number;
}

const skills = loadSkills(new URL("../../rules/", import.meta.url));

/** A model of ours at an address, also as the provider `local` of chat completions; retries do not wait. */
export function modelAt(
  baseUrl: string,
  { config = {}, key = "test-key", parallel, ...options }: AskedOptions = {},
) {
  const clock = movedClock();
  const entries: LedgerEntry[] = [];
  const told: [string, string, Usage][] = [];
  const random = () => 0;
  const model = createModel(
    {
      clock,
      newId: createUlids(clock),
      recorder: {
        begin: ({ id, usage }) => void told.push(["begin", id, usage]),
        progress: (id, usage) => void told.push(["progress", id, usage]),
        record(entry) {
          told.push(["record", entry.id, entry.usage]);
          entries.push(entry);
        },
      },
      random,
      limiter: createLimiter({ random }, parallel === undefined ? {} : { parallel }),
      prompt: skills.prompt,
    },
    {
      settings: ModelConfig.parse(config),
      access: { anthropic: { key, url: baseUrl }, local: { key, url: `${baseUrl}/v1` } },
      prices: PRICES,
      ...options,
    },
  );
  return { model, entries, told, clock };
}

/** The scripted model with these scenarios, and a model of ours that asks it. */
export async function openAskedModel(scenarios: unknown[], options: AskedOptions = {}) {
  const scripted = await startScriptedModel({
    scenarios: parseScenarios(JSON.stringify(scenarios)),
    clock: movedClock(),
    apiKey: "test-key",
  });
  return { scripted, ...modelAt(scripted.url, options), close: () => scripted.close() };
}

/** Opens asked models, and closes all of them after each test. */
export function closingAfterEach(): typeof openAskedModel {
  let opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(opened.map((one) => one.close()));
    opened = [];
  });
  return async (scenarios, options) => {
    const asked = await openAskedModel(scenarios, options);
    opened.push(asked);
    return asked;
  };
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
