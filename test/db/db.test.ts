import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Database, MIGRATIONS, migrate, openDatabase, transact } from "../../src/db/index.js";

let folder: string;
let open: Database[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "accrue-db-"));
  open = [];
});
afterEach(() => {
  for (const db of open) db.close();
  rmSync(folder, { recursive: true });
});

function database(file = "a.db"): Database {
  const db = openDatabase(join(folder, "deep", file));
  open.push(db);
  return db;
}

function migrations(store: string, steps: Record<string, string>): URL {
  mkdirSync(join(folder, "migrations", store), { recursive: true });
  for (const [name, sql] of Object.entries(steps))
    writeFileSync(join(folder, "migrations", store, name), sql);
  return pathToFileURL(`${join(folder, "migrations")}/`);
}
const tables = (db: Database) =>
  db.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all();

describe("openDatabase", () => {
  it("opens a file for several processes, safe against a power cut, in a folder it makes", () => {
    const db = database();
    expect(db.pragma("journal_mode", { simple: true })).toBe("wal");
    expect(db.pragma("synchronous", { simple: true })).toBe(2);
    expect(db.pragma("foreign_keys", { simple: true })).toBe(1);
    expect(db.pragma("busy_timeout", { simple: true })).toBeGreaterThanOrEqual(5000);
  });

  it("says which file it cannot open", () => {
    writeFileSync(join(folder, "text.db"), "this is no database, it is a text of some length".repeat(20));
    expect(() => openDatabase(join(folder, "text.db"))).toThrow(
      expect.objectContaining({
        code: "DATABASE_FAILED",
        message: expect.stringContaining("text.db") as string,
      }),
    );
  });
});

describe("transact", () => {
  it("undoes everything when the work throws, and hands the error on", () => {
    const db = database();
    db.exec("create table t (a integer) strict");
    expect(() =>
      transact(db, () => {
        db.exec("insert into t values (1)");
        throw new RangeError("mine");
      }),
    ).toThrow(RangeError);
    expect(db.prepare("select count(*) from t").pluck().get()).toBe(0);
  });

  it("reports what SQLite refuses as DATABASE_FAILED", () => {
    const db = database();
    db.exec("create table t (a integer) strict");
    expect(() => transact(db, () => db.exec("insert into t values ('text')"))).toThrow(
      expect.objectContaining({ code: "DATABASE_FAILED", retryable: false }),
    );
  });
});

describe("migrate", () => {
  it("runs each step once, also when asked again", () => {
    const db = database();
    const first = migrations("one", { "0001_create_a.sql": "create table a (x integer) strict;" });
    migrate(db, first, "one");
    migrations("one", { "0002_create_b.sql": "create table b (x integer) strict;" });
    migrate(db, first, "one");
    migrate(db, first, "one");
    expect(tables(db)).toEqual(["migrations", "a", "b"]);
  });

  it("counts the steps of several stores in one file apart", () => {
    const db = database();
    migrations("one", {
      "0001_create_a.sql": "create table a (x integer) strict;",
      "0002_drop_a.sql": "drop table a;",
    });
    const all = migrations("two", { "0001_create_b.sql": "create table b (x integer) strict;" });
    migrate(db, all, "one");
    migrate(db, all, "two");
    expect(tables(db)).toEqual(["migrations", "b"]);
  });

  it("refuses a file that a later version wrote", () => {
    const all = migrations("one", {
      "0001_create_a.sql": "create table a (x integer) strict;",
      "0002_create_b.sql": "create table b (x integer) strict;",
    });
    migrate(database(), all, "one");
    rmSync(join(folder, "migrations", "one", "0002_create_b.sql"));
    expect(() => migrate(database(), all, "one")).toThrow(
      expect.objectContaining({ code: "DATABASE_NEWER", message: expect.stringContaining("2") as string }),
    );
  });

  it("leaves nothing of a step that fails, and names it", () => {
    const db = database();
    const all = migrations("one", {
      "0001_create_a.sql": "create table a (x integer) strict;",
      "0002_break_things.sql": "create table b (x integer) strict; insert into missing values (1);",
    });
    expect(() => migrate(db, all, "one")).toThrow(/one\/0002_break_things\.sql.*missing/);
    expect(tables(db)).toEqual(["migrations", "a"]);
  });

  it.each([["0002_create_a.sql"], ["0001.sql"], ["1_create_a.sql"]])("refuses the file name %s", (name) => {
    const all = migrations("one", { [name]: "create table a (x integer) strict;" });
    expect(() => migrate(database(), all, "one")).toThrow(/NNNN_verb_noun/);
  });

  it("refuses a store without migrations", () => {
    expect(() => migrate(database(), MIGRATIONS, "nothing")).toThrow(/no migrations for nothing/);
  });

  it("ships migrations whose tables are all strict", () => {
    const db = database();
    for (const store of ["queue", "ledger"]) migrate(db, MIGRATIONS, store);
    const loose = db
      .prepare("select name from pragma_table_list where schema = 'main' and type = 'table' and strict = 0")
      .pluck()
      .all();
    expect(loose.filter((name) => !String(name).startsWith("sqlite_"))).toEqual([]);
  });
});
