import { z } from "zod";
import type { Ask } from "./dial.js";

const MAX_PAGES = 100;
const MAX_ITEMS = 1000;

/** What a server listed, without what cannot be used. */
export interface Listed<Item> {
  items: Item[];
  /** One line for each entry that is left out. */
  problems: string[];
}

const Page = z.object({
  tools: z.array(z.unknown()).default([]),
  prompts: z.array(z.unknown()).default([]),
  nextCursor: z.string().nullish().catch(null),
});

/** Reads a list over all of its pages; a cursor that comes again ends it, and an entry that is wrong is left out alone. */
export async function listAll<Item>(
  ask: Ask,
  { what, item }: { what: "tools" | "prompts"; item: z.ZodType<Item> },
  signal: AbortSignal,
): Promise<Listed<Item>> {
  const listed: Listed<Item> = { items: [], problems: [] };
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && listed.items.length < MAX_ITEMS; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await ask({ method: `${what}/list`, params, result: Page }, true, signal);
    for (const entry of answer[what]) {
      const read = item.safeParse(entry);
      if (read.success) listed.items.push(read.data);
      else listed.problems.push(`one of its ${what} is left out: ${z.prettifyError(read.error)}`);
    }
    cursor = answer.nextCursor ?? undefined;
    if (cursor === undefined || seen.has(cursor)) break;
    seen.add(cursor);
  }
  return listed;
}
