import { type Database, transact } from "../db/index.js";
import { conditions, DAY_OF_TIME } from "./conditions.js";
import { insertInto, COLUMNS, OPEN_COLUMNS, type OpenRow, type Row, toOpenRow, toRow } from "./entry-rows.js";
import { QUESTION_PHASE } from "./question-phase.js";
import type { CallRecorder, Ledger, OpenCall } from "./types.js";

/** Stop reason of a call whose process died. */
export const INTERRUPTED = "interrupted";

// What tokens usually cost beside an uncached input token; only for guesses.
const CACHE_READ_WEIGHT = 0.1;
const OUTPUT_WEIGHT = 5;

/** Writes calls down as they begin, go on and end. */
export function createCalls(db: Database): CallRecorder & Pick<Ledger, "recover"> {
  const end = db.prepare<[Row]>(`${insertInto("ledger_entries", COLUMNS)} on conflict (id) do nothing`);
  const open = db.prepare<[OpenRow]>(`${insertInto("open_calls", OPEN_COLUMNS)} on conflict (id) do nothing`);
  const isEnded = db.prepare<[string], number>("select 1 from ledger_entries where id = ?").pluck();
  const close = db.prepare<[string]>("delete from open_calls where id = ?");
  const update = db.prepare<[number, number, number, number, number | null, string]>(
    `update open_calls set input = ?, cache_read = ?, cache_write = ?, output = ?, cost_nano_usd = ?, estimated = 0
     where id = ?`,
  );

  return {
    begin: (call) =>
      transact(db, () => {
        if (isEnded.get(call.id) === undefined) open.run(toOpenRow(call, guessedCost(call)));
      }),
    progress: (id, { input, cacheRead, cacheWrite, output }, costNanoUsd) =>
      transact(db, () => void update.run(input, cacheRead, cacheWrite, output, costNanoUsd, id)),
    record: (entry) =>
      transact(db, () => {
        end.run(toRow(entry));
        close.run(entry.id);
      }),
    recover(of) {
      const { where: found, values } = conditions(of, DAY_OF_TIME);
      const where = "run" in of ? found : `${found} and phase <> '${QUESTION_PHASE}'`;
      const columns = OPEN_COLUMNS.join(", ");
      return transact(db, () => {
        db.prepare(
          `insert into ledger_entries (${columns}, duration_ms, stop_reason, wasted, calls)
           select ${columns}, 0, '${INTERRUPTED}', 1, 1 from open_calls ${where} order by id`,
        ).run(...values);
        return db.prepare(`delete from open_calls ${where}`).run(...values).changes;
      });
    },
  };
}

/** What a call will cost about; null without a price. */
function guessedCost({ usage, inputPriceNanoUsd }: OpenCall): number | null {
  if (inputPriceNanoUsd === null) return null;
  const { input, cacheRead, cacheWrite, output } = usage;
  const weighted = input + cacheWrite + cacheRead * CACHE_READ_WEIGHT + output * OUTPUT_WEIGHT;
  return Math.round(weighted * inputPriceNanoUsd);
}
