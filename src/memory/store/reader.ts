import { type Database, readTogether } from "../../db/index.js";
import { foldedId } from "../normal-text.js";
import { matchExpression } from "../words.js";
import { FILTER_SQL, type FilterValues } from "./filter.js";
import { type MemoryRow, ROW_COLUMNS, ROW_TABLES, type Stored, storedOf, vectorOf } from "./rows.js";
import { nameOf } from "./write.js";

/** A term in more than this share of the memories finds nothing by itself, when rarer ones stand beside it. */
const COMMON_SHARE = 0.2;
const ENOUGH_RARE = 3;
/** So many terms of a question look for candidates, the rarest first; all of them count for the score. */
const MAX_TERMS = 24;
/** Nor do they bring up more texts than this together, so that a question costs the same in a large store. */
const MAX_TEXTS = 2500;

/** Reads the cache. */
export interface Reader {
  /** Does what reads several times, at one moment of the cache. */
  together<T>(work: () => T): T;
  count(): number;
  /** In how many memories a term stands. */
  withTerm(term: string): number;
  /** The best by words, of those that the filter lets through. */
  byWords(terms: readonly string[], filter: FilterValues, count: number): number[];
  /** Those that name one of these symbols; `key` is `path#name` or a bare name. */
  bySymbol(key: string): { rid: number; symbol: string }[];
  /** Those that name this file, or a folder or pattern that it is in. */
  byFile(path: string): number[];
  byHash(hash: string): Stored[];
  byId(id: string): Stored | null;
  row(rid: number): Stored | null;
  /** Many at once, each with its vector, which is null when it has none. */
  rows(rids: readonly number[]): { stored: Stored; vector: Float32Array | null }[];
  /** True when the filter lets a memory through. */
  passes(rid: number, filter: FilterValues): boolean;
  all(): Stored[];
  /** Folded ids that contradict it, whoever says so. */
  conflicts(id: string): string[];
  /** Folded ids of what stands in its place. */
  successors(foldedId: string): string[];
}

/** Makes the one reader of the cache, for one embedder. */
export function createReader(db: Database, embedder: string, matches: PathMatcher): Reader {
  const rows = `select ${ROW_COLUMNS} from ${ROW_TABLES}`;
  const count = db.prepare<[], number>("select count(*) from memories").pluck();
  const texts = db.prepare<[string], number>("select texts from terms where term = ?").pluck();
  const byHash = db.prepare<[string], MemoryRow>(`${rows} where m.normal_hash = ? order by m.folded_id`);
  const byId = db.prepare<[string], MemoryRow>(`${rows} where m.folded_id = ?`);
  const byRid = db.prepare<[number], MemoryRow>(`${rows} where m.rid = ?`);
  const all = db.prepare<[], MemoryRow>(`${rows} order by m.folded_id`);
  const many = db.prepare<[string, string], MemoryRow & { vector: Buffer | null }>(
    `select ${ROW_COLUMNS}, v.vector from json_each(?) j cross join ${ROW_TABLES} ` +
      "left join vectors v on v.vid = m.vid and v.embedder = ? where m.rid = j.value",
  );
  const passing = db
    .prepare<[FilterValues & { rid: number }], number>(
      `select 1 from memories m where m.rid = :rid and ${FILTER_SQL}`,
    )
    .pluck();
  const one = (row: MemoryRow | undefined) => (row === undefined ? null : storedOf(row));
  return {
    together: (work) => readTogether(db, work),
    count: () => count.get() ?? 0,
    withTerm: (term) => texts.get(term) ?? 0,
    ...wordReader(db),
    ...nameReader(db, matches),
    ...linkReader(db),
    byHash: (hash) => byHash.all(hash).map(storedOf),
    byId: (id) => one(byId.get(foldedId(id))),
    row: (rid) => one(byRid.get(rid)),
    rows: (rids) =>
      many.all(JSON.stringify(rids), embedder).map((row) => ({
        stored: storedOf(row),
        vector: row.vector === null ? null : vectorOf(row.vector),
      })),
    passes: (rid, filter) => passing.get({ ...filter, rid }) !== undefined,
    all: () => all.all().map(storedOf),
  };
}

/** Tells whether a pattern with wildcards fits a path. */
export type PathMatcher = (pattern: string, path: string) => boolean;

function wordReader(db: Database): Pick<Reader, "byWords"> {
  const count = db.prepare<[], number>("select count(*) from memories").pluck();
  const texts = db.prepare<[string], number>("select texts from terms where term = ?").pluck();
  const find = db
    .prepare<[FilterValues & { match: string; count: number }], number>(
      "select m.rid from memory_terms t join memories m on m.rid = t.rowid where memory_terms match :match and " +
        `${FILTER_SQL} order by t.rank, m.folded_id limit :count`,
    )
    .pluck();
  const telling = (terms: readonly string[]) => {
    const known = terms
      .map((term) => ({ term, texts: texts.get(term) ?? 0 }))
      .filter((one) => one.texts > 0)
      .sort((a, b) => a.texts - b.texts);
    const limit = (count.get() ?? 0) * COMMON_SHARE;
    const rare = known.filter((one) => one.texts <= limit);
    const useful = (rare.length >= ENOUGH_RARE ? rare : known).slice(0, MAX_TERMS);
    let sum = 0;
    return useful
      .filter((one, index) => (sum += one.texts) <= MAX_TEXTS || index === 0)
      .map(({ term }) => term);
  };
  return {
    byWords: (terms, filter, limit) => {
      const match = matchExpression(telling(terms));
      return match === null ? [] : find.all({ ...filter, match, count: limit });
    },
  };
}

function nameReader(db: Database, matches: PathMatcher): Pick<Reader, "bySymbol" | "byFile"> {
  const symbols = db.prepare<[string], { rid: number; symbol: string }>(
    "select rid, symbol from memory_symbols where name = ? order by rid, symbol",
  );
  const files = db.prepare<[string], number>("select rid from memory_files where path = ?").pluck();
  const patterns = db.prepare<[], { rid: number; path: string }>(
    "select rid, path from memory_files where is_pattern = 1",
  );
  return {
    bySymbol: (key) => symbols.all(nameOf(key)),
    byFile: (path) => {
      const parts = path.split("/");
      const above = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
      const plain = above.flatMap((folder) => [...files.all(folder), ...files.all(`${folder}/`)]);
      const fitting = patterns.all().filter((pattern) => matches(pattern.path, path));
      return [...new Set([...plain, ...fitting.map(({ rid }) => rid)])];
    },
  };
}

function linkReader(db: Database): Pick<Reader, "conflicts" | "successors"> {
  const conflicts = db
    .prepare<[string, string], string>(
      "select to_id from memory_links where from_id = ? and kind = 'conflicts' union " +
        "select from_id from memory_links where to_id = ? and kind = 'conflicts' order by 1",
    )
    .pluck();
  const successors = db
    .prepare<[string], string>(
      "select l.from_id from memory_links l join memories m on m.folded_id = l.from_id " +
        "where l.to_id = ? and l.kind = 'supersedes' and m.status <> 'retired' order by 1",
    )
    .pluck();
  return {
    conflicts: (id) => conflicts.all(foldedId(id), foldedId(id)),
    successors: (id) => successors.all(id),
  };
}
