import { rmSync, statSync } from "node:fs";
import { type Database, MIGRATIONS, migrate, openDatabase } from "../../db/index.js";
import { isAccrueError, messageOf } from "../../shared/index.js";

/** Each table with its key. */
const TABLES = [
  ["blobs", "id"],
  ["facts", "blob"],
  ["names", "id"],
  ["definitions", "name"],
  ["uses", "name"],
  ["prunings", "one"],
];
/** To check all of a larger file would take longer than to use it. */
const MAX_CHECKED_BYTES = 64 * 1024 * 1024;
const BROKEN = /malformed|not a database|no such table|no such column|file is encrypted/i;

/**
 * Opens the file that holds what is known of contents. All in it can be read again from the repository, so a broken file is
 * removed and begun anew, and `warn` is told so.
 */
export function openMapDatabase(file: string, warn: (message: string) => void): Database {
  try {
    return open(file);
  } catch (error) {
    if (!isBroken(error)) throw error;
    warn(`${file} is broken (${messageOf(error)}): it is removed, and the code map is built again.`);
    for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
    return open(file);
  }
}

function open(file: string): Database {
  const db = openDatabase(file, { synchronous: "normal" });
  try {
    migrate(db, MIGRATIONS, "codemap");
    if (statSync(file).size <= MAX_CHECKED_BYTES) checkPages(db, file);
    else checkEdges(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function checkPages(db: Database, file: string): void {
  const said = db.pragma("quick_check(1)", { simple: true });
  if (said !== "ok") throw new Error(`${file} is malformed: ${String(said)}`);
}

/** A file that was cut or overwritten mostly shows at the edges of its tables. */
function checkEdges(db: Database): void {
  for (const [table, key] of TABLES) {
    db.prepare(`select * from ${table} order by ${key} limit 1`).all();
    db.prepare(`select * from ${table} order by ${key} desc limit 1`).all();
  }
}

function isBroken(error: unknown): boolean {
  const code = isAccrueError(error) ? error.cause : error;
  return BROKEN.test(messageOf(error)) || BROKEN.test(messageOf(code));
}
