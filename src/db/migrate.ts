import { existsSync, readFileSync, readdirSync } from "node:fs";
import { AccrueError } from "../shared/index.js";
import { type Database, databaseError, transact } from "./open.js";

/** The folder of migrations that ships with the package: one folder per store. */
export const MIGRATIONS = new URL("../../migrations/", import.meta.url);

const FILE_NAME = /^(\d{4})_[a-z0-9]+(?:_[a-z0-9]+)+\.sql$/;

/**
 * Brings one store's tables up to date. Several stores may live in one file, each with its own count.
 * Contract: throws `DATABASE_NEWER` when the file was written by a later version, `DATABASE_FAILED` when a step fails;
 * a failed step leaves nothing behind.
 */
export function migrate(db: Database, folder: URL, store: string): void {
  const steps = readSteps(new URL(`${store}/`, folder), store);
  transact(db, () =>
    db.exec(
      "create table if not exists migrations (store text not null, version integer not null, name text not null, " +
        "primary key (store, version)) strict",
    ),
  );
  const latest = db
    .prepare<[string], number>("select coalesce(max(version), 0) from migrations where store = ?")
    .pluck();
  const note = db.prepare("insert into migrations (store, version, name) values (?, ?, ?)");

  const present = latest.get(store) ?? 0;
  if (present > steps.length) {
    throw new AccrueError(
      "DATABASE_NEWER",
      `The ${store} store in ${db.name} has schema ${present}, this version of Accrue knows ${steps.length}. ` +
        "Install the version that wrote it, or a later one.",
    );
  }
  for (const [index, step] of steps.entries()) {
    const version = index + 1;
    transact(db, () => {
      // Asked again inside the transaction: another process may have done this step in the meantime.
      if ((latest.get(store) ?? 0) >= version) return;
      try {
        db.exec(step.sql);
      } catch (error) {
        throw databaseError(`Migration ${store}/${step.name} failed on ${db.name}`, error);
      }
      note.run(store, version, step.name);
    });
  }
}

function readSteps(folder: URL, store: string): { name: string; sql: string }[] {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  if (names.length === 0) {
    throw new AccrueError("DATABASE_FAILED", `There are no migrations for ${store} in ${folder.pathname}.`);
  }
  return names.map((name, index) => {
    const number = Number(FILE_NAME.exec(name)?.[1]);
    if (number !== index + 1) {
      throw new AccrueError(
        "DATABASE_FAILED",
        `Migration ${store}/${name} does not fit: number ${String(index + 1).padStart(4, "0")} is expected, as NNNN_verb_noun.sql.`,
      );
    }
    return { name, sql: readFileSync(new URL(name, folder), "utf8") };
  });
}
