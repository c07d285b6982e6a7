import { rmSync } from "node:fs";
import { type Database, MIGRATIONS, migrate, openDatabase } from "../../db/index.js";
import { isAccrueError, messageOf } from "../../shared/index.js";

/** The cache's file, and whether SQLite itself can compare vectors in it. */
export interface MemoryDatabase {
  db: Database;
  hasVectorFunctions: boolean;
  close(): void;
}

/** How the cache is opened. */
export interface MemoryDatabaseOptions {
  /** False leaves out sqlite-vec: vectors are then compared in JavaScript, with the same ranking. */
  extension?: boolean;
}

const BROKEN = /malformed|not a database|no such table|no such column|file is encrypted|vtable constructor/i;

/**
 * Opens the file that caches memories. All in it can be made again from files, so a broken one, or one of a later version, is
 * removed and begun anew, and `warn` is told so.
 */
export async function openMemoryDatabase(
  file: string,
  warn: (message: string) => void,
  { extension = true }: MemoryDatabaseOptions = {},
): Promise<MemoryDatabase> {
  const db = openOrBegin(file, warn);
  const hasVectorFunctions = extension && (await loadExtension(db));
  return { db, hasVectorFunctions, close: () => db.close() };
}

function openOrBegin(file: string, warn: (message: string) => void): Database {
  try {
    return open(file);
  } catch (error) {
    if (!isBroken(error)) throw error;
    warn(`${file} cannot be used (${messageOf(error)}): it is removed, and made again from the files.`);
    removeMemoryDatabase(file);
    return open(file);
  }
}

/** Deletes the cache's file with all that belongs to it. */
export function removeMemoryDatabase(file: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
}

function open(file: string): Database {
  const db = openDatabase(file, { synchronous: "normal" });
  try {
    migrate(db, MIGRATIONS, "memory");
    for (const table of [
      "vectors",
      "memories",
      "memory_texts",
      "memory_files",
      "memory_symbols",
      "memory_links",
      "terms",
    ])
      db.prepare(`select * from ${table} limit 1`).all();
    db.prepare("select rowid from memory_terms where memory_terms match 'a' limit 1").all();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function isBroken(error: unknown): boolean {
  if (isAccrueError(error, "DATABASE_NEWER")) return true;
  const cause = isAccrueError(error) ? error.cause : error;
  return BROKEN.test(messageOf(error)) || BROKEN.test(messageOf(cause));
}

/** The package is optional, and there is none for every system. */
async function loadExtension(db: Database): Promise<boolean> {
  try {
    const { load } = await import("sqlite-vec");
    load(db);
    return true;
  } catch {
    return false;
  }
}
