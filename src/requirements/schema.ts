import { z } from "zod";
import type { CostRow, RequirementEvent, State } from "./types.js";

const STATES = [
  "opened",
  "clarified",
  "designed",
  "approved",
  "implementing",
  "in-review",
  "verifying",
  "completed",
  "changed",
  "blocked",
  "paused",
  "cancelled",
  "reopened",
] as const satisfies readonly State[];

const Base = z.object({
  v: z.literal(1),
  id: z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, "is no ULID"),
  req: z.string().regex(/^REQ-[\w.-]+$/, "is no id of a requirement"),
  run: z.string(),
  actor: z.string(),
  at: z.iso.datetime({ offset: true }),
});

const Count = z.int().nonnegative();
/** Above it nano-dollars are not exact any more; nothing costs nine million dollars. */
const MAX_MICRO_USD = Number.MAX_SAFE_INTEGER / 1000;

const Row: z.ZodType<CostRow> = z.object({
  phase: z.string(),
  call_type: z.string(),
  model: z.string(),
  calls: Count,
  input: Count,
  cache_read: Count,
  cache_write: Count,
  output: Count,
  micro_usd: z.number().nonnegative().max(MAX_MICRO_USD).nullable(),
  weighted_tokens: z.number().nonnegative().optional(),
  wasted: z.literal(true).optional(),
});

/** A requirement's event as its file says it. */
export const EventSchema: z.ZodType<RequirementEvent> = z.discriminatedUnion("type", [
  Base.extend({
    type: z.literal("state"),
    from: z.enum(STATES).nullable(),
    to: z.enum(STATES),
    evidence: z.string().optional(),
  }),
  Base.extend({ type: z.literal("cost"), rows: z.array(Row) }),
  Base.extend({
    type: z.literal("budget"),
    unit: z.enum(["usd", "tokens"]),
    amount: z.number().positive(),
    by: z.string(),
  }),
  Base.extend({ type: z.literal("failed"), state: z.string(), reason: z.string() }),
  Base.extend({ type: z.literal("autonomy"), level: z.enum(["confirm", "review", "auto"]), by: z.string() }),
  Base.extend({
    type: z.literal("approval"),
    of: z.enum(["requirement.md", "design.md"]),
    sha: z.string().regex(/^[0-9a-f]{64}$/, "is no SHA-256"),
    by: z.string(),
    confirms: z.array(z.string()),
  }),
  Base.extend({
    type: z.literal("understood"),
    issue: z.object({ sha: z.string(), text: z.string() }).nullable(),
    criteria: z.array(z.object({ id: z.string(), sha: z.string() })),
    document: z.string(),
    comments: z.array(z.string()),
    touched: z.array(z.string()),
  }),
]);
