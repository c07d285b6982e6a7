import type { LedgerEntry } from "../../src/ledger/index.js";

/** The repository of all entries that do not say otherwise. */
export const repository = { host: "github.com", owner: "acme", name: "shop" };

/** A ledger entry with what a test cares about. */
export function entry(part: Partial<LedgerEntry>): LedgerEntry {
  return {
    id: "01",
    at: "2026-11-29T12:00:00.000Z",
    repository,
    requirement: "REQ-1",
    run: "run-1",
    phase: "implement",
    task: "T1",
    agent: "implementation-executor",
    callType: "generate",
    provider: "anthropic",
    model: "claude-haiku-5-5",
    usage: { input: 100, cacheRead: 800, cacheWrite: 40, output: 20 },
    costNanoUsd: 500_000,
    inputPriceNanoUsd: 1000,
    durationMs: 1200,
    stopReason: "tool_use",
    attempt: 1,
    promptVersion: "1f2e3d",
    wasted: false,
    ...part,
  };
}
