import { type Database, transact } from "../db/index.js";
import { conditions, DAY_OF_TIME } from "./conditions.js";
import type { EntryFilter, Ledger, Spent } from "./types.js";

const ENDED =
  "select coalesce(sum(nano_usd), 0) as nanoUsd, coalesce(sum(weighted_tokens), 0) as weightedTokens";
const OPEN = `select coalesce(sum(cost_nano_usd), 0) as nanoUsd,
  coalesce(sum(case when cost_nano_usd is not null and input_price_nano_usd > 0 then cost_nano_usd / input_price_nano_usd
    else input + cache_read + cache_write + output end), 0) as weightedTokens`;

/** Adds up what was spent from the sums that the database keeps, so that it is cheap however many entries there are. */
export function createSpending(db: Database): Pick<Ledger, "spent" | "spentNanoUsd"> {
  const prepare = (sql: string) => db.prepare<string[], Spent>(sql);
  const statements = new Map<string, ReturnType<typeof prepare>>();

  function sum(select: string, filter: EntryFilter, day: string): Spent {
    const { where, values } = conditions(filter, day);
    const sql = `${select} ${where}`;
    const statement = statements.get(sql) ?? prepare(sql);
    statements.set(sql, statement);
    return statement.get(...values) ?? { nanoUsd: 0, weightedTokens: 0 };
  }
  const ended = (filter: EntryFilter) => sum(`${ENDED} from ledger_sums`, filter, "day");

  return {
    spentNanoUsd: (filter) =>
      transact(db, () => sum(`${ENDED} from ledger_sums`, { ...filter, isEstimate: false }, "day")).nanoUsd,
    spent: (filter) =>
      transact(db, () => {
        const [past, now] = [ended(filter), sum(`${OPEN} from open_calls`, filter, DAY_OF_TIME)];
        return {
          nanoUsd: past.nanoUsd + now.nanoUsd,
          weightedTokens: past.weightedTokens + now.weightedTokens,
        };
      }),
  };
}
