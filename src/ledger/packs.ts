import { type Database, transact } from "../db/index.js";
import { conditions, DAY_OF_TIME } from "./conditions.js";
import type { Ledger, PackSums } from "./types.js";

/** Keeps how well agents' context packs foresaw what they asked for. */
export function createPacks(db: Database): Pick<Ledger, "keepPack" | "packs"> {
  const keep = db.prepare<[Record<string, string | number>]>(
    `insert or replace into packs
       (host, owner, name, requirement, run, phase, task, agent, at, hash, tokens, files, asked, asked_later)
     values (@host, @owner, @name, @requirement, @run, @phase, @task, @agent, @at, @hash, @tokens, @files, @asked, @askedLater)`,
  );
  return {
    keepPack: ({ repository: { host, owner, name }, ...pack }) =>
      transact(db, () => void keep.run({ host, owner, name, ...pack })),
    packs: (filter) => {
      const { where, values } = conditions(filter, DAY_OF_TIME);
      const sums = transact(db, () =>
        db
          .prepare<string[], PackSums>(
            `select count(*) as packs, coalesce(sum(tokens), 0) as tokens, coalesce(sum(files), 0) as files,
               coalesce(sum(asked), 0) as asked, coalesce(sum(asked_later), 0) as askedLater from packs ${where}`,
          )
          .get(...values),
      );
      return sums ?? { packs: 0, tokens: 0, files: 0, asked: 0, askedLater: 0 };
    },
  };
}
