import { z } from "zod";

const usd = () => z.number().positive().max(1_000_000);
const tokens = () => z.number().int().min(1000);
const share = () => z.number().min(0).max(1);

/** Limits of what work may cost: the key `budget` of `.github/agent.yml`. */
export const BudgetOptions = z.strictObject({
  task: z
    .strictObject({
      tokens: tokens()
        .nullable()
        .default(50_000)
        .describe("Weighted tokens of one task within one run; null: no such limit."),
      usd: usd()
        .nullable()
        .default(2)
        .describe("US dollars of one task within one run; null: no such limit."),
    })
    .prefault({})
    .describe("The limit of one task; whichever is reached first."),
  requirement: z
    .strictObject({
      tokens: tokens()
        .nullable()
        .default(null)
        .describe("Weighted tokens that one requirement may use over all its runs; null: no such limit."),
      usd: usd().default(10).describe("US dollars that one requirement may cost over all its runs."),
    })
    .prefault({})
    .describe("The limit of one requirement, unless a person states one in a comment."),
  day: z
    .strictObject({
      tokens: tokens()
        .nullable()
        .default(null)
        .describe("Weighted tokens of this repository in one day (UTC); null: no such limit."),
      usd: usd()
        .nullable()
        .default(50)
        .describe("US dollars of this repository in one day (UTC); null: no such limit."),
    })
    .prefault({})
    .describe("The limit of one day; no comment raises it."),
  warn_at: share()
    .default(0.8)
    .describe("Share of a limit, without its reserve, at which people are told once."),
  reserve: share()
    .max(0.9)
    .default(0.2)
    .describe("Share of a requirement's limit that is kept for validation and the final answer."),
});

/** See the schema of the same name. */
export type BudgetOptions = z.infer<typeof BudgetOptions>;
