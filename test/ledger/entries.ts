import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/db/index.js";
import { createLedger, type Ledger, type LedgerEntry, type OpenCall } from "../../src/ledger/index.js";

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

/** What makes an entry a request that failed before a token was used. */
export const unanswered = {
  usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
  costNanoUsd: 0,
  stopReason: "failed",
  wasted: true,
};

/** A call that has begun, with what a test cares about. */
export function openCall(part: Partial<OpenCall>): OpenCall {
  const { costNanoUsd: _c, durationMs: _d, stopReason: _s, wasted: _w, ...call } = entry({});
  return { ...call, ...part };
}

/** A ledger in a file of its own. */
export interface FileLedger {
  ledger: Ledger;
  db: Database;
  /** Closes the file and opens it again, as a process does that is started after another died. */
  restart(): void;
  close(): void;
}

/** Opens a ledger in a temporary folder. */
export function openFileLedger(): FileLedger {
  const folder = mkdtempSync(join(tmpdir(), "accrue-ledger-"));
  const open = () => {
    const db = openDatabase(join(folder, "l.db"), { synchronous: "normal" });
    return { db, ledger: createLedger(db) };
  };
  const file: FileLedger = {
    ...open(),
    restart: () => {
      file.db.close();
      Object.assign(file, open());
    },
    close: () => {
      file.db.close();
      rmSync(folder, { recursive: true });
    },
  };
  return file;
}
