import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { AccrueError, messageOf } from "../shared/index.js";

/** An open SQLite file, as the stores get it. */
export type Database = Sqlite.Database;

/** How an SQLite file is opened. */
export interface DatabaseOptions {
  /** `full` (default) also survives a power cut; `normal` is for indexes that can be rebuilt. */
  synchronous?: "full" | "normal";
}

const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens an SQLite file for several processes at once, and makes it and its folder when they are missing.
 * Contract: throws `DATABASE_FAILED`.
 */
export function openDatabase(file: string, options: DatabaseOptions = {}): Database {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const db = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
    db.pragma("journal_mode = WAL");
    db.pragma(`synchronous = ${options.synchronous ?? "full"}`);
    db.pragma("foreign_keys = ON");
    return db;
  } catch (error) {
    throw databaseError(`The database ${file} cannot be opened`, error);
  }
}

/**
 * Runs reads and writes as one unit that other processes never see half done.
 * Contract: `work` is synchronous; what it throws undoes everything. SQLite's own errors become `DATABASE_FAILED`.
 */
export function transact<T>(db: Database, work: () => T): T {
  try {
    // Immediate: a transaction that only later turns into a write may fail although it could have waited.
    return db.transaction(work).immediate();
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) throw databaseError(`The database ${db.name} failed`, error);
    throw error;
  }
}

/** Runs reads that see the database at one moment, whoever writes meanwhile; together they also cost less. */
export function readTogether<T>(db: Database, work: () => T): T {
  return db.transaction(work).deferred();
}

/** Translates what SQLite reports into the one error that callers know; a busy file is worth another try. */
export function databaseError(what: string, cause: unknown): AccrueError {
  const retryable = cause instanceof Sqlite.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(cause.code);
  const advice = retryable
    ? "Another process holds it; try again."
    : "Check its folder's permissions and free space.";
  return new AccrueError("DATABASE_FAILED", `${what}: ${messageOf(cause)}. ${advice}`, { retryable, cause });
}
