import { type Database, transact } from "../db/index.js";
import { conditions, DAY_OF_TIME } from "./conditions.js";
import type { Ledger, UseCount } from "./types.js";

/** Counts how knowledge and capabilities are used. */
export function createUses(db: Database): Pick<Ledger, "use" | "uses"> {
  const add = db.prepare<[Record<string, string>]>(
    `insert into uses (host, owner, name, requirement, run, kind, id, how, times, last_at)
     values (@host, @owner, @name, @requirement, @run, @kind, @id, @how, 1, @at)
     on conflict do update set times = times + 1, last_at = max(last_at, excluded.last_at)`,
  );
  return {
    use: ({ repository: { host, owner, name }, ...use }) =>
      transact(db, () => void add.run({ host, owner, name, ...use })),
    uses: ({ repository, requirement, run }) => {
      const { where, values } = conditions({ repository, requirement, run }, DAY_OF_TIME);
      return transact(db, () =>
        db
          .prepare<string[], UseCount>(
            `select kind, id, how, count(*) as runs, sum(times) as times, max(last_at) as lastAt from uses ${where}
             group by kind, id, how order by runs desc, times desc, kind, id, how`,
          )
          .all(...values),
      );
    },
  };
}
