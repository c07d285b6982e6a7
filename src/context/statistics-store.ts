import type { Index, MappedFile } from "../codemap/index.js";
import { type Database, MIGRATIONS, migrate, transact } from "../db/index.js";
import { packStatistics, unpackStatistics } from "./pack-statistics.js";
import { type BlobStatistics, readStatistics } from "./statistics.js";
import type { Terms } from "./words.js";

/** Raised with every change of what is counted or how it is packed. */
const VERSION = 3;
/** So many new blobs are written at once. */
const BATCH = 200;
/** Rows that may lie unused, in all or as a multiple of the tree's files, until the tree's own are all that is kept. */
const SPARE = { rows: 20_000, times: 4 };

/** Gives the statistics of every mapped file. */
export interface StatisticsStore {
  /** Reads files only whose content was never seen; those that are gone meanwhile are left out. */
  of(files: readonly MappedFile[]): Promise<Map<string, BlobStatistics>>;
}

/** What the statistics are counted from. */
export interface StatisticsSources {
  db: Database;
  index: Pick<Index, "facts">;
  read(path: string): Promise<Buffer | null>;
  terms: Terms;
}

/** Opens the statistics in a database, and keeps in memory those of the tree that was last asked for. */
export function createStatisticsStore({ db, index, read, terms }: StatisticsSources): StatisticsStore {
  migrate(db, MIGRATIONS, "context");
  const select = db
    .prepare<[string, string, number], Buffer>(
      "select packed from term_statistics where blob = ? and language = ? and version = ?",
    )
    .pluck();
  const insert = db.prepare(
    "insert or replace into term_statistics (blob, language, version, packed) values (?, ?, ?, ?)",
  );
  const countRows = db.prepare<[], number>("select count(*) from term_statistics").pluck();
  const keepOnly = db.prepare<[string]>(
    "delete from term_statistics where blob || ' ' || language not in (select value from json_each(?))",
  );
  let known = new Map<string, BlobStatistics>();

  async function count(file: MappedFile): Promise<BlobStatistics | null> {
    const bytes = await read(file.path);
    if (!bytes) return null;
    return readStatistics(textOf(bytes), index.facts(file.path)?.symbols ?? [], terms);
  }

  function write(counted: readonly { file: MappedFile; statistics: BlobStatistics }[]): void {
    transact(db, () => {
      for (const { file, statistics } of counted) {
        insert.run(file.blob, file.language, VERSION, packStatistics(statistics));
      }
    });
  }

  /** Other checkouts of the repository count again what only they hold: seldom, and little beside the bound. */
  function prune(used: ReadonlyMap<string, unknown>): void {
    const most = Math.max(SPARE.rows, SPARE.times * used.size);
    if ((countRows.get() ?? 0) > most) keepOnly.run(JSON.stringify([...used.keys()]));
  }

  return {
    of: async (files) => {
      const next = new Map<string, BlobStatistics>();
      const byPath = new Map<string, BlobStatistics>();
      const counted: { file: MappedFile; statistics: BlobStatistics }[] = [];
      let hasGrown = false;
      for (const file of files) {
        const key = `${file.blob} ${file.language}`;
        let statistics = next.get(key) ?? known.get(key);
        if (!statistics) {
          const packed = select.get(file.blob, file.language, VERSION);
          statistics = packed && unpackStatistics(packed);
        }
        if (!statistics) {
          statistics = (await count(file)) ?? undefined;
          if (statistics) counted.push({ file, statistics });
          hasGrown ||= statistics !== undefined;
          if (counted.length >= BATCH) write(counted.splice(0));
        }
        if (!statistics) continue;
        next.set(key, statistics);
        byPath.set(file.path, statistics);
      }
      if (counted.length > 0) write(counted);
      if (hasGrown) prune(next);
      known = next;
      return byPath;
    },
  };
}

/** A file's text with its lines as the map counts them. */
export function textOf(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
