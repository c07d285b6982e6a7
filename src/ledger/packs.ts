import { type Database, transact } from "../db/index.js";
import { conditions, DAY_OF_TIME } from "./conditions.js";
import type { Ledger, PackSums, PhaseTokens } from "./types.js";

/** Keeps how well agents' context packs foresaw what they asked for. */
export function createPacks(db: Database): Pick<Ledger, "keepPack" | "packs" | "knowledgeByPhase"> {
  const keep = db.prepare<[Record<string, string | number>]>(
    `insert or replace into packs
       (host, owner, name, requirement, run, phase, task, agent, at, hash, tokens, knowledge_tokens, files, asked, asked_later)
     values (@host, @owner, @name, @requirement, @run, @phase, @task, @agent, @at, @hash, @tokens, @knowledgeTokens, @files, @asked, @askedLater)`,
  );
  return {
    keepPack: ({ repository: { host, owner, name }, ...pack }) =>
      transact(db, () => void keep.run({ host, owner, name, ...pack })),
    packs: (filter) => {
      const { where, values } = conditions(filter, DAY_OF_TIME);
      const sums = transact(db, () =>
        db
          .prepare<string[], PackSums>(
            `select count(*) as packs, coalesce(sum(tokens), 0) as tokens, coalesce(sum(files), 0) as files, coalesce(sum(knowledge_tokens), 0) as knowledgeTokens,
               coalesce(sum(asked), 0) as asked, coalesce(sum(asked_later), 0) as askedLater from packs ${where}`,
          )
          .get(...values),
      );
      return sums ?? { packs: 0, tokens: 0, knowledgeTokens: 0, files: 0, asked: 0, askedLater: 0 };
    },
    knowledgeByPhase: (filter) => {
      const { where, values } = conditions(filter, DAY_OF_TIME);
      return transact(db, () =>
        db
          .prepare<string[], PhaseTokens>(
            `select phase, sum(knowledge_tokens) as tokens, count(*) as packs from packs ${where}
             group by phase order by min(at), phase`,
          )
          .all(...values),
      );
    },
  };
}
