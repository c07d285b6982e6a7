import {
  type Budget,
  type BudgetStop,
  type BudgetView,
  type BudgetWish,
  type Ledger,
  type StatedBudget,
  budgetText,
  createBudget,
  formatTokens,
  parseBudget,
} from "../ledger/index.js";
import { isoTime } from "../shared/index.js";
import type { Ask } from "./intent.js";
import { issueOf } from "./requirement-of.js";
import type { Scene } from "./scene.js";
import { readStatus } from "./status-line.js";
import type { EngineDeps, Run, Settings } from "./types.js";

/** Whose budget is asked about. */
interface BudgetOf {
  ask: Pick<Ask, "repository">;
  requirement: string;
  settings: Settings;
}

/** The limits of one task of a run, and with it those of the requirement and the day. */
export function budgetOf(run: Run, task: string): Budget {
  const { repository } = run.ask;
  const scope = { repository, requirement: run.requirement, run: run.id, task };
  return createBudget(run.deps.ledger, run.deps.clock, scope, run.settings.budget);
}

/** What a requirement may cost, as people read it: what a person stated, else what the repository configured. */
export function budgetLabel(ledger: Pick<Ledger, "budgetOf">, of: BudgetOf): string {
  const { unit, amount } = agreed(ledger, of);
  return unit === "usd" ? `$${amount.toFixed(2)}` : `${formatTokens(amount)} weighted tokens`;
}

/** The same in dollars; null when it was stated in tokens. */
export function budgetUsd(ledger: Pick<Ledger, "budgetOf">, of: BudgetOf): number | null {
  const { unit, amount } = agreed(ledger, of);
  return unit === "usd" ? amount : null;
}

function agreed(
  ledger: Pick<Ledger, "budgetOf">,
  of: BudgetOf,
): Pick<StatedBudget, "unit" | "amount"> & { by: string | null } {
  const stated = ledger.budgetOf({ repository: of.ask.repository, requirement: of.requirement });
  return stated ?? { unit: "usd", amount: of.settings.budget.requirement.usd, by: null };
}

/** The sentence that people read when a limit is reached, or nearly so. */
export function budgetSentence(run: Run, stop: BudgetStop): string {
  return budgetText(stop, viewOf(run));
}

function viewOf({ ask, requirement, language, doors, settings }: Run): BudgetView {
  const mention = doors.port ? settings.mention : null;
  return { language, repository: ask.repository, requirement, mention };
}

/** Tells people once that a limit is nearly reached; the work goes on. */
export function warnPeople(run: Run, budget: Budget): void {
  const { ask, requirement, deps, board, front } = run;
  const of = { repository: ask.repository, requirement };
  for (const stop of budget.warnings()) {
    if (!deps.ledger.warnOnce(of, stop, isoTime(deps.clock.now()))) continue;
    const text = budgetSentence(run, stop);
    // Used up, it is what the first line says.
    if (stop.spent < stop.of - stop.kept) board.notices.push(text);
    // The front reports its own failures: an alert that cannot be written never holds the work up.
    void front.alert(`${requirement} ${stop.limit} ${stop.subject} ${stop.unit} ${stop.of}`, text);
  }
}

/** What a person said of a budget. */
export interface BudgetChange {
  /** How it stands now, as people read it. */
  label: string;
  /** True when a run waits for it. */
  isAwaited: boolean;
}

/** Takes over what a person wants the requirement to cost. Throws `INPUT_INVALID` when it is no budget. */
export async function changeBudget(
  scene: Scene,
  of: { requirement: string; text: string },
  deps: EngineDeps,
): Promise<BudgetChange> {
  const { ask, settings } = scene;
  const { requirement, text } = of;
  const { usd, tokens } = settings.budget.requirement;
  deps.ledger.setBudget({
    id: ask.key,
    repository: ask.repository,
    requirement,
    wish: text === "" ? asMuchAgain(deps, { ask, requirement, settings }) : parseBudget(text),
    configured: { usd, tokens },
    by: ask.actor?.login ?? "unknown",
    at: ask.at,
  });
  return {
    label: budgetLabel(deps.ledger, { ask, requirement, settings }),
    isAwaited: await isPaused(scene, requirement),
  };
}

/** The button knows no amount. */
function asMuchAgain(deps: EngineDeps, of: BudgetOf): BudgetWish {
  const { unit, amount, by } = agreed(deps.ledger, of);
  const configured = of.settings.budget.requirement.usd;
  return { unit, amount: by !== null && unit === "usd" ? configured : amount, isMore: true };
}

/** A run that goes on reads its budget before each call; only one that stands still has to be started again. */
async function isPaused({ ask, doors }: Scene, requirement: string): Promise<boolean> {
  const issue = issueOf(ask, requirement);
  if (!doors.port || issue === null) return false;
  const text = await readStatus({ port: doors.port, self: doors.self, issue, requirement });
  return text?.startsWith("⏸") === true;
}
