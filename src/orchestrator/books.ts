import { type BudgetEvent, type RequirementEvent, costEvent } from "../requirements/index.js";
import { isoTime } from "../shared/index.js";
import type { Ask } from "./intent.js";
import { writeEvent } from "./state.js";
import type { EngineDeps, Run } from "./types.js";

/**
 * Brings the ledger up to what git knows of a requirement: what earlier runs cost and which budget a person gave it, wherever
 * they ran; and closes the calls that a run cut off by a crash left open. Contract: no other run works on the requirement.
 */
export function openBooks(
  { ledger }: Pick<EngineDeps, "ledger">,
  of: { ask: Pick<Ask, "repository">; requirement: string; events: readonly RequirementEvent[] },
): void {
  const { events, requirement } = of;
  const place = { repository: of.ask.repository, requirement };
  ledger.recover(place);
  ledger.import(
    events
      .filter((event) => event.type === "cost")
      .map(({ id, run, at, rows }) => ({ ...place, id, run, at, rows })),
  );
  const agreed = lastBudget(events);
  if (agreed === null || ledger.budgetOf(place) !== null) return;
  const { id, unit, amount, by, at } = agreed;
  const configured = { usd: null, tokens: null };
  ledger.setBudget({ ...place, id, wish: { unit, amount, isMore: false }, configured, by, at });
}

/** Books what the run cost as an event, once, so that the bill survives any disk. */
export async function recordCosts(run: Run): Promise<void> {
  const rows = run.deps.ledger.costRows(run.id);
  if (rows.length === 0 || run.events.some((event) => event.type === "cost" && event.run === run.id)) return;
  await writeEvent(run, costEvent({ ...stamp(run), rows }));
}

/** Books the budget that a person gave, so that it survives any disk too. */
export async function recordBudget(run: Run): Promise<void> {
  const stated = run.deps.ledger.budgetOf({ repository: run.ask.repository, requirement: run.requirement });
  if (stated === null) return;
  const { unit, amount, by } = stated;
  const before = lastBudget(run.events);
  if (before?.unit === unit && before.amount === amount) return;
  await writeEvent(run, { v: 1, type: "budget", ...stamp(run), unit, amount, by });
}

function lastBudget(events: readonly RequirementEvent[]): BudgetEvent | null {
  return events.findLast((event) => event.type === "budget") ?? null;
}

/** What every event of a run begins with. */
export function stamp({ deps, requirement, id, doors }: Pick<Run, "deps" | "requirement" | "id" | "doors">): {
  id: string;
  req: string;
  run: string;
  actor: string;
  at: string;
} {
  const at = isoTime(deps.clock.now());
  return { id: deps.newId(), req: requirement, run: id, actor: doors.self, at };
}
