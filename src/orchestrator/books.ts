import { QUESTION_PHASE } from "../ledger/index.js";
import { type BudgetEvent, type CostEvent, type RequirementEvent, costEvent } from "../requirements/index.js";
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

/** Books what the run cost as an event, once, so that the bill survives any disk; with it what earlier runs left unbooked. */
export async function recordCosts(run: Run): Promise<void> {
  const { deps, ask, requirement, events, id } = run;
  const costs = unbookedCosts(deps, { repository: ask.repository, requirement, events, own: id });
  for (const cost of costs) await writeEvent(run, costEvent({ ...stamp(run), ...cost }));
}

/** A question is over by then, however often it was tried. */
const QUESTION_MS = 60 * 60 * 1000;

/**
 * What runs on a requirement cost that no event tells yet: a run that changes nothing writes nothing. What filing a remark cost is
 * booked where it is filed; a question may still go on, and is booked by the first run after it
 * must be over, at the latest by the merge. Contract: no run works on the requirement
 * but `own`.
 */
export function unbookedCosts(
  { ledger, clock }: Pick<EngineDeps, "ledger" | "clock">,
  of: {
    repository: Ask["repository"];
    requirement: string;
    events: readonly RequirementEvent[];
    own: string | null;
  },
): Pick<CostEvent, "run" | "rows">[] {
  const { repository, requirement, events, own } = of;
  const booked = new Set(events.filter(({ type }) => type === "cost").map(({ run }) => run));
  const entries = ledger.entries({ repository, requirement });
  const since = isoTime(clock.now() - QUESTION_MS);
  const asking = new Set(
    entries.flatMap(({ run, phase, at }) =>
      own !== null && phase === QUESTION_PHASE && at > since ? [run] : [],
    ),
  );
  const runs = entries.filter(({ run, phase }) => run === own || phase !== "complete").map(({ run }) => run);
  return [...new Set(runs)]
    .filter((run) => !booked.has(run) && !asking.has(run))
    .map((run) => ({ run, rows: ledger.costRows(run) }))
    .filter(({ rows }) => rows.length > 0);
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
