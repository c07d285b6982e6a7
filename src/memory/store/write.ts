import { type Database, transact } from "../../db/index.js";
import { foldedId } from "../normal-text.js";
import type { Prepared } from "./rows.js";

const PATTERN = /[*?[{]/;

/** The statements that change the cache, prepared once. */
export interface Writer {
  /** Fingerprints by folded id. */
  known(): Map<string, string>;
  /** Texts of these that the embedder has not embedded yet, by their hash. */
  unembedded(prepared: readonly Prepared[]): Map<string, string>;
  saveVectors(vectors: ReadonlyMap<string, Float32Array>): void;
  /** Writes these, and removes what is not in `keep`; null keeps all. */
  save(changed: readonly Prepared[], keep: ReadonlySet<string> | null): { removed: number };
}

/** Makes the one writer of the cache, for one embedder. */
export function createWriter(db: Database, embedder: string): Writer {
  const statements = prepareStatements(db);
  const vids = db
    .prepare<[string, string], [string, number]>(
      "select v.text_hash, v.vid from json_each(?) j cross join vectors v where v.text_hash = j.value and v.embedder = ?",
    )
    .raw();
  const vidsOf = (prepared: readonly Prepared[]) =>
    new Map(vids.all(JSON.stringify(prepared.map(({ textHash }) => textHash)), embedder));
  const addVector = db.prepare(
    "insert into vectors (text_hash, embedder, vector) values (?, ?, ?) on conflict do nothing",
  );
  return {
    known: () => new Map(statements.fingerprints.all()),
    unembedded: (prepared) => {
      const embedded = vidsOf(prepared);
      const missing = prepared.filter(({ textHash }) => !embedded.has(textHash));
      return new Map(missing.map((row) => [row.textHash, row.embedded]));
    },
    saveVectors: (vectors) =>
      transact(db, () => {
        for (const [hash, vector] of vectors) addVector.run(hash, embedder, blobOf(vector));
      }),
    save: (changed, keep) =>
      transact(db, () => {
        const counts = new Map<string, number>();
        const present = keep === null ? null : new Set(statements.ids.all());
        const gone = [...(present ?? [])].filter((id) => keep?.has(id) === false);
        for (const id of gone) statements.remove(id, counts);
        const vidOf = vidsOf(changed);
        for (const row of changed) {
          if (present === null || present.has(row.foldedId)) statements.remove(row.foldedId, counts);
          statements.add(row, vidOf.get(row.textHash) ?? null, counts);
        }
        statements.count(counts);
        if (keep !== null) statements.forget.run(embedder);
        return { removed: gone.length };
      }),
  };
}

function prepareStatements(db: Database) {
  const row = db.prepare<[string], { rid: number; terms: string }>(
    "select m.rid, x.terms from memories m join memory_texts x on x.rid = m.rid where m.folded_id = ?",
  );
  const insert = db.prepare(
    "insert into memories (folded_id, type, status, fingerprint, normal_hash, vid, created, weight, since, " +
      "period, cold_from) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const addText = db.prepare("insert into memory_texts (rid, said, terms) values (?, ?, ?)");
  const removeRow = db.prepare("delete from memories where rid = ?");
  const removeTerms = db.prepare("delete from memory_terms where rowid = ?");
  const removeLinks = db.prepare("delete from memory_links where from_id = ?");
  const addTerms = db.prepare("insert into memory_terms (rowid, terms) values (?, ?)");
  const addFile = db.prepare(
    "insert into memory_files (path, rid, is_pattern) values (?, ?, ?) on conflict do nothing",
  );
  const addSymbol = db.prepare(
    "insert into memory_symbols (name, rid, symbol) values (?, ?, ?) on conflict do nothing",
  );
  const addLink = db.prepare(
    "insert into memory_links (from_id, to_id, kind) values (?, ?, ?) on conflict do nothing",
  );
  const countTerm = db.prepare(
    "insert into terms (term, texts) values (?, ?) on conflict (term) do update set texts = texts + excluded.texts",
  );
  const dropTerms = db.prepare("delete from terms where texts <= 0");
  const note = (counts: Map<string, number>, terms: readonly string[], by: number) => {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + by);
  };
  return {
    ids: db.prepare<[], string>("select folded_id from memories").pluck(),
    fingerprints: db.prepare<[], [string, string]>("select folded_id, fingerprint from memories").raw(),
    // Vectors of texts that are gone stay for a change of branch and back; those of another embedder never fit again.
    forget: db.prepare(
      "delete from vectors where embedder <> ? and vid not in (select vid from memories where vid is not null)",
    ),
    remove: (id: string, counts: Map<string, number>) => {
      const old = row.get(id);
      if (old === undefined) return;
      note(counts, old.terms.split(" ").filter(Boolean), -1);
      removeTerms.run(old.rid);
      removeLinks.run(id);
      removeRow.run(old.rid);
    },
    add: (prepared: Prepared, vid: number | null, counts: Map<string, number>) => {
      const { memory, life, terms } = prepared;
      const joined = terms.join(" ");
      // Without its vector it is found by words only, and tried again next time.
      const fingerprint = vid === null ? "" : prepared.fingerprint;
      const head = [prepared.foldedId, memory.type, prepared.status, fingerprint, prepared.normalHash];
      const tail = [memory.created, life.weight, life.since, life.periodMs, life.coldFrom];
      const rid = insert.run(...head, vid, ...tail).lastInsertRowid;
      addText.run(rid, prepared.said, joined);
      addTerms.run(rid, joined);
      note(counts, terms, 1);
      for (const path of memory.files) addFile.run(path, rid, PATTERN.test(path) ? 1 : 0);
      for (const symbol of memory.symbols) addSymbol.run(nameOf(symbol), rid, symbol);
      for (const id of memory.supersedes) addLink.run(prepared.foldedId, foldedId(id), "supersedes");
      for (const id of memory.conflictsWith) addLink.run(prepared.foldedId, foldedId(id), "conflicts");
    },
    count: (counts: ReadonlyMap<string, number>) => {
      for (const [term, by] of counts) if (by !== 0) countTerm.run(term, by);
      dropTerms.run();
    },
  };
}

/** The last part of a symbol's name: `save` of `src/store.ts#Store.save`. */
export function nameOf(symbol: string): string {
  return symbol
    .slice(symbol.lastIndexOf("#") + 1)
    .replace(/^.*[.:]/, "")
    .replace(/\(\)$/, "");
}

function blobOf(vector: Float32Array): Buffer | null {
  if (vector.every((value) => value === 0)) return null;
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}
