import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/db/index.js";
import { createLedger, type LedgerEntry } from "../../src/ledger/index.js";
import type { PersonalRepository } from "../support/command-line.js";
import { entry } from "./entries.js";

/** Fills the ledger of a person's repository. */
export function record({ root }: PersonalRepository, entries: readonly Partial<LedgerEntry>[]): void {
  mkdirSync(join(root, ".agent"), { recursive: true });
  const db = openDatabase(join(root, ".agent/ledger.db"));
  const ledger = createLedger(db);
  for (const [index, part] of entries.entries()) ledger.record(entry({ id: `e${index}`, ...part }));
  db.close();
}
