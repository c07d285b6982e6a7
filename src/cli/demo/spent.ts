import { z } from "zod";
import type { Person } from "./person.js";

/** What a requirement cost, read from the cost events in git. */
export interface Spent {
  calls: number;
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  usd: number;
}

const CostEvent = z.object({
  rows: z.array(
    z.object({
      calls: z.number(),
      input: z.number(),
      cache_read: z.number(),
      cache_write: z.number(),
      output: z.number(),
      micro_usd: z.number().nullable(),
    }),
  ),
});

/** Adds up the cost events of a requirement on a branch. */
export async function spentOf(person: Person, requirement: string, branch: string): Promise<Spent> {
  const total: Spent = { calls: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0, usd: 0 };
  for (const path of await person.files(`requirements/events/${requirement}`, branch)) {
    if (!path.endsWith("-cost.json")) continue;
    for (const row of CostEvent.parse(JSON.parse(await person.file(path, branch))).rows) {
      total.calls += row.calls;
      total.input += row.input;
      total.cacheRead += row.cache_read;
      total.cacheWrite += row.cache_write;
      total.output += row.output;
      total.usd += (row.micro_usd ?? 0) / 1e6;
    }
  }
  return total;
}
