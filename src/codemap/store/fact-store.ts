import { type Database, transact } from "../../db/index.js";
import { type NameTable, createNameTable } from "./name-table.js";
import type { Extracted } from "./messages.js";

/** Rows that no listing saw for so many days are removed. */
const KEEP_DAYS = 60;
/** A row in use is marked again after so many days, so that a listing writes nothing on most days. */
const MARK_DAYS = 7;
/** Above this many contents, all are removed that were not marked for {@link MARK_DAYS} twice over. */
const MAX_BLOBS = 200_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What names one content: the same facts stand for it in every branch, worktree and fork. */
export interface ContentKey {
  blob: string;
  /** The language by the file's name, or `settings`. */
  language: string;
}

/** What is known of one content without its facts. */
export interface KnownContent {
  id: number;
  /** The language it was read as. */
  readAs: string;
  skipped: string | null;
  partial: string | null;
  symbols: number;
  uses: number;
  seenDay: number;
  retryDay: number | null;
}

/** What is to be kept of one content. */
export interface NewContent extends ContentKey {
  skipped: string | null;
  /** Null when it was skipped. */
  extracted: Extracted | null;
  /** True when the time it took was to blame, so that another day may give more. */
  isPassing: boolean;
}

/** The one door to the code map's tables. */
export interface FactStore {
  find(key: ContentKey): KnownContent | null;
  /** In one transaction; a content that another process wrote meanwhile stays as it is. */
  write(contents: readonly NewContent[]): KnownContent[];
  encoded(id: number): string | null;
  defining(name: string): number[];
  using(name: string): number[];
  /** Names of definitions with a text inside, those that begin with it first, each with the contents that define it. */
  names(text: string): Iterable<{ name: string; blobs: () => number[] }>;
  /** Marks contents as seen today where that was long ago. */
  mark(contents: Iterable<KnownContent>): void;
  /** Removes what no listing saw for long. */
  prune(): void;
  /** Changes when rows were removed, by whomever: ids known before may stand for nothing. */
  prunings(): number;
}

/** Opens the tables for one version of the extractor; `now` in milliseconds since 1970. */
export function createFactStore(db: Database, extractor: string, now: () => number): FactStore {
  const { find, insert, forget, forgetFacts, insertFacts, encoded, markSeen, prunings, countPruning } =
    prepare(db);
  const names = createNameTable(db, () => prunings.get() ?? 0);
  const today = () => Math.floor(now() / DAY_MS);

  function writeOne({ extracted, isPassing, skipped, ...key }: NewContent): KnownContent {
    const present = find.get(key.blob, key.language, extractor);
    if (present && !isDue(present)) return present;
    if (present) removeOne(present.id);
    const day = today();
    const row = insert.get({
      ...key,
      extractor,
      readAs: extracted?.language ?? key.language,
      skipped,
      partial: extracted?.partial ?? null,
      symbols: extracted?.symbols ?? 0,
      uses: extracted?.references ?? 0,
      day,
      retryDay: isPassing ? day + 1 : null,
    });
    if (!row) throw new Error("a row was neither there nor written");
    if (extracted) {
      insertFacts.run(row.id, extracted.encoded);
      names.add(row.id, extracted);
    }
    return row;
  }

  function removeOne(id: number): void {
    forget.run(id);
    names.remove([id]);
    forgetFacts.run(id);
    countPruning.run();
  }

  function isDue({ retryDay }: KnownContent): boolean {
    return retryDay !== null && retryDay <= today();
  }

  return {
    find: (key) => {
      const found = find.get(key.blob, key.language, extractor);
      return found && !isDue(found) ? found : null;
    },
    write: (contents) => {
      try {
        return transact(db, () => contents.map(writeOne));
      } catch (error) {
        names.forget();
        throw error;
      }
    },
    encoded: (id) => encoded.get(id) ?? null,
    defining: names.defining,
    using: names.using,
    names: names.containing,
    mark: (contents) => {
      const old = [...contents].filter(({ seenDay }) => seenDay <= today() - MARK_DAYS);
      if (old.length === 0) return;
      transact(db, () => {
        for (const { id } of old) markSeen.run(today(), id);
      });
    },
    prune: () => prune(db, names, today()),
    prunings: () => prunings.get() ?? 0,
  };
}

function prepare(db: Database) {
  const columns = `id, read_as as readAs, skipped, partial, symbols, uses, seen_day as seenDay, retry_day as retryDay`;
  const find = db.prepare<[string, string, string], KnownContent>(
    `select ${columns} from blobs where blob = ? and language = ? and extractor = ?`,
  );
  const insert = db.prepare<[Record<string, string | number | null>], KnownContent>(
    `insert into blobs (blob, language, extractor, read_as, skipped, partial, symbols, uses, seen_day, retry_day)
     values (@blob, @language, @extractor, @readAs, @skipped, @partial, @symbols, @uses, @day, @retryDay)
     on conflict do nothing returning ${columns}`,
  );
  const forgetFacts = db.prepare<[number]>("delete from facts where blob = ?");
  const countPruning = db.prepare<[]>("update prunings set times = times + 1");
  const forget = db.prepare<[number]>("delete from blobs where id = ?");
  const insertFacts = db.prepare<[number, string]>("insert into facts (blob, encoded) values (?, ?)");
  const encoded = db.prepare<[number], string>("select encoded from facts where blob = ?").pluck();
  const markSeen = db.prepare<[number, number]>("update blobs set seen_day = ? where id = ?");
  const prunings = db.prepare<[], number>("select times from prunings").pluck();
  return { find, insert, forget, forgetFacts, insertFacts, encoded, markSeen, prunings, countPruning };
}

/** Rows that no listing saw for long; sooner where there are too many. */
function prune(db: Database, names: NameTable, today: number): void {
  const count = db.prepare<[], number>("select count(*) from blobs").pluck().get() ?? 0;
  const oldest = today - (count > MAX_BLOBS ? 2 * MARK_DAYS : KEEP_DAYS);
  const old = db.prepare<[number], number>("select id from blobs where seen_day < ?").pluck();
  if (old.get(oldest) === undefined) return;
  transact(db, () => {
    const ids = old.all(oldest);
    db.prepare("delete from blobs where seen_day < ?").run(oldest);
    db.prepare("delete from facts where blob not in (select id from blobs)").run();
    names.remove(ids);
    db.prepare("update prunings set times = times + 1").run();
  });
}
