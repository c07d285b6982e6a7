import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { databaseError } from "./open.js";

/**
 * Holds a file until the process ends, however it ends: the system itself gives up the lock.
 * Contract: the caller keeps what it gets; with it, the lock would be collected too.
 */
export function holdFile(file: string): { release(): void } {
  mkdirSync(dirname(file), { recursive: true });
  const db = lock(file);
  if (!db) throw databaseError(`The file ${file} cannot be held`, new Error("somebody else holds it"));
  return {
    release: () => {
      rmSync(file, { force: true });
      db.close();
    },
  };
}

/** Whether some process holds the file; null when there is no such file, so that nobody can tell. */
export function isHeld(file: string): boolean | null {
  if (!existsSync(file)) return null;
  const db = lock(file);
  db?.close();
  return db === null;
}

/** SQLite's lock, because it works wherever the databases themselves do: across processes and containers on one folder. */
function lock(file: string): Sqlite.Database | null {
  const db = new Sqlite(file, { timeout: 0 });
  try {
    db.exec("begin exclusive");
    return db;
  } catch (error) {
    db.close();
    if (error instanceof Sqlite.SqliteError && error.code === "SQLITE_BUSY") return null;
    throw databaseError(`The file ${file} cannot be tested`, error);
  }
}
