import { type Database, transact } from "../db/index.js";
import { conditions, DAY_OF_TIME } from "./conditions.js";
import { QUESTION_PHASE } from "./question-phase.js";
import type { Ledger, SimilarRequirement, UseCount } from "./types.js";

/** Counts how knowledge and capabilities are used. */
export function createUses(db: Database): Pick<Ledger, "use" | "uses" | "similar"> {
  const add = db.prepare<[Record<string, string>]>(
    `insert into uses (host, owner, name, requirement, run, kind, id, how, times, last_at)
     values (@host, @owner, @name, @requirement, @run, @kind, @id, @how, 1, @at)
     on conflict do update set times = times + 1, last_at = max(last_at, excluded.last_at)`,
  );
  // A rule can be shown to everything; a note is about something. A thread with nothing but questions is no requirement.
  const similar = db.prepare<[Record<string, string>], SimilarRequirement>(
    `with costs as (
       select requirement, min(at) as began, sum(cost_nano_usd) as costNanoUsd from ledger_entries
       where host = @host and owner = @owner and name = @name and estimated = 0 group by requirement
       having sum(phase <> '${QUESTION_PHASE}') > 0
     )
     select requirement, costNanoUsd from costs
     where costNanoUsd > 0
       and began < coalesce((select began from costs where requirement = @requirement), '9')
       and requirement in (
         select other.requirement from uses own join uses other using (host, owner, name, kind, id)
         where own.requirement = @requirement and own.kind = 'note' and own.how in ('shown', 'learnt')
           and other.how in ('shown', 'learnt') and host = @host and owner = @owner and name = @name
       )
     order by began`,
  );
  return {
    similar: ({ repository: { host, owner, name }, requirement }) =>
      transact(db, () => similar.all({ host, owner, name, requirement })),
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
