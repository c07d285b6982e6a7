import type { Database } from "../../db/index.js";

/** So many names are known without asking; then all are forgotten. */
const MAX_CACHED = 200_000;

/** Which contents define and use a name. Contract: what writes is called inside a transaction. */
export interface NameTable {
  add(blob: number, names: { defined: readonly string[]; used: readonly string[] }): void;
  /** Also removes names that nothing stands for any more. */
  remove(blobs: readonly number[]): void;
  /** Forgets ids that it remembers: what gave them may have been undone. */
  forget(): void;
  defining(name: string): number[];
  using(name: string): number[];
  containing(text: string): Iterable<{ name: string; blobs: () => number[] }>;
}

/** Opens the tables of names; `removals` changes when somebody removed names, so that ids must be asked for again. */
export function createNameTable(db: Database, removals: () => number): NameTable {
  const find = db.prepare<[string], number>("select id from names where name = ?").pluck();
  const insert = db.prepare<[string]>("insert into names (name) values (?)");
  const define = db.prepare<[number, number]>("insert into definitions (name, blob) values (?, ?)");
  const use = db.prepare<[number, number]>("insert into uses (name, blob) values (?, ?)");
  const blobsOf = (table: string) =>
    db
      .prepare<[string], number>(
        `select blob from ${table} where name = (select id from names where name = ?)`,
      )
      .pluck();
  const [defining, using] = [blobsOf("definitions"), blobsOf("uses")];
  const containing = db
    .prepare<[string, string], string>(
      `select name from names where name like ? escape '\\'
       and exists (select 1 from definitions where definitions.name = names.id)
       order by not name like ? escape '\\', name`,
    )
    .pluck();
  const known = new Map<string, number>();
  let knownAt = removals();

  function idOf(name: string): number {
    const present = known.get(name) ?? find.get(name);
    const id = present ?? Number(insert.run(name).lastInsertRowid);
    known.set(name, id);
    return id;
  }

  return {
    add: (blob, { defined, used }) => {
      const at = removals();
      if (at !== knownAt || known.size > MAX_CACHED) known.clear();
      knownAt = at;
      for (const name of defined) define.run(idOf(name), blob);
      for (const name of used) use.run(idOf(name), blob);
    },
    remove: (blobs) => {
      const ids = JSON.stringify(blobs);
      for (const table of ["definitions", "uses"])
        db.prepare(`delete from ${table} where blob in (select value from json_each(?))`).run(ids);
      db.exec(
        "delete from names where id not in (select name from definitions) and id not in (select name from uses)",
      );
      known.clear();
    },
    forget: () => known.clear(),
    defining: (name) => defining.all(name),
    using: (name) => using.all(name),
    containing: function* (text) {
      const literal = text.replaceAll(/[\\%_]/g, "\\$&");
      for (const name of containing.all(`%${literal}%`, `${literal}%`))
        yield { name, blobs: () => defining.all(name) };
    },
  };
}
