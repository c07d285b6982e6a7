import { type Clock, isoTime, type RepositoryRef } from "../shared/index.js";
import { NANO_PER_USD } from "./format.js";
import type { BudgetOptions } from "./budget-options.js";
import type { Budget, BudgetStop, BudgetUnit } from "./budget-types.js";
import type { Ledger, Spent } from "./types.js";

/** What a budget is for. */
export interface BudgetScope {
  repository: RepositoryRef;
  requirement: string;
  run: string;
  task: string;
}

type Heights = Partial<Record<BudgetUnit, number | null>>;

/** All limits that hold now, the widest first: what a reply cannot raise is said first. */
type Measure = () => BudgetStop[];

/**
 * Holds the work on a task to the limits of day, requirement and task. A budget that a person stated takes the place of the
 * configured limits of requirement and task, from the next question on.
 */
export function createBudget(
  ledger: Pick<Ledger, "spent" | "budgetOf">,
  clock: Clock,
  scope: BudgetScope,
  options: BudgetOptions,
): Budget {
  const { repository, requirement, run, task } = scope;

  const measure: Measure = () => {
    const day = isoTime(clock.now()).slice(0, 10);
    const stated = ledger.budgetOf({ repository, requirement });
    const heights: Heights = stated ? { [stated.unit]: stated.amount } : options.requirement;
    const inTask = ledger.spent({ repository, requirement, run, task });
    return [
      ...limitsOf("day", day, options.day, ledger.spent({ repository, day })),
      ...limitsOf("requirement", requirement, heights, ledger.spent({ repository, requirement })).map(
        (limit) => ({ ...limit, kept: limit.of * options.reserve }),
      ),
      ...(stated ? [] : limitsOf("task", task, options.task, inTask)),
    ];
  };
  return budgetOn(measure, (agent) => ledger.spent({ ...scope, agent }), options.warn_at);
}

function budgetOn(measure: Measure, spentBy: (agent: string) => Spent, warnAt: number): Budget {
  return {
    reached: (purpose) => measure().find((limit) => limit.spent >= heightFor(purpose, limit)) ?? null,
    warnings: () =>
      measure().filter((limit) => limit.limit !== "agent" && limit.spent >= warnAt * (limit.of - limit.kept)),
    slice(share, agent) {
      const before = spentBy(agent);
      const own = measure().map(({ unit, of, kept, spent }) => ({
        unit,
        of: share * Math.max(0, of - kept - spent),
      }));
      const since = () => {
        const now = spentBy(agent);
        const spent = {
          nanoUsd: now.nanoUsd - before.nanoUsd,
          weightedTokens: now.weightedTokens - before.weightedTokens,
        };
        return own.flatMap(({ unit, of }) => limitsOf("agent", agent, { [unit]: of }, spent));
      };
      return budgetOn(() => [...measure(), ...since()], spentBy, warnAt);
    },
  };
}

/** What is left over after the work on a task or by a subagent is the requirement's to give: its last answer is not cut off. */
function heightFor(purpose: "work" | "final", { limit, of, kept }: BudgetStop): number {
  if (purpose === "work") return of - kept;
  return limit === "task" || limit === "agent" ? Infinity : of;
}

function limitsOf(limit: BudgetStop["limit"], subject: string, heights: Heights, spent: Spent): BudgetStop[] {
  const limits: BudgetStop[] = [];
  const of = (unit: BudgetUnit, used: number) => {
    const height = heights[unit];
    if (height !== undefined && height !== null)
      limits.push({ limit, subject, unit, spent: used, of: height, kept: 0 });
  };
  of("usd", spent.nanoUsd / NANO_PER_USD);
  of("tokens", spent.weightedTokens);
  return limits;
}
