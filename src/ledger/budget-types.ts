import type { RepositoryRef } from "../shared/index.js";

/** What a budget is counted in: US dollars, or weighted tokens. */
export type BudgetUnit = "usd" | "tokens";

/** What a person wants a requirement to cost at most; `isMore` adds to what holds now. */
export interface BudgetWish {
  unit: BudgetUnit;
  amount: number;
  isMore: boolean;
}

/** The budget that a person has stated for a requirement. */
export interface StatedBudget {
  unit: BudgetUnit;
  amount: number;
  by: string;
  /** ISO 8601. */
  at: string;
}

/** A requirement; its id is unique in its repository only. */
export interface RequirementRef {
  repository: RepositoryRef;
  requirement: string;
}

/** A person's words about a budget. */
export interface BudgetStatement extends RequirementRef {
  /** Of the comment or delivery: the same words count once. */
  id: string;
  wish: BudgetWish;
  /** The requirement's limits as configured, for a wish for more. */
  configured: { usd: number | null; tokens: number | null };
  by: string;
  /** ISO 8601. */
  at: string;
}

/** A limit, how far it is used, and what is kept of it for validation and the final answer. US dollars or weighted tokens. */
export interface BudgetStop {
  limit: "task" | "requirement" | "day" | "agent";
  /** Which task, requirement, day (UTC) or agent. */
  subject: string;
  unit: BudgetUnit;
  spent: number;
  of: number;
  kept: number;
}

/** What people have said of budgets, and which alerts they got. */
export interface BudgetStore {
  /** Gives the budget that holds now. */
  setBudget(statement: BudgetStatement): StatedBudget;
  budgetOf(of: RequirementRef): StatedBudget | null;
  /** True the first time that somebody asks about this limit at this height: then the alert is to be given. */
  warnOnce(of: RequirementRef, stop: BudgetStop, at: string): boolean;
}

/** What holds an agent to its limits. */
export interface Budget {
  /** Asked before each call: the limit that forbids it, or null. `final` is validation or a last answer. */
  reached(purpose: "work" | "final"): BudgetStop | null;
  /** Limits of which people want to be told because they are nearly used. */
  warnings(): BudgetStop[];
  /**
   * A subagent's budget: a share of what is left now, and never more than what this one still allows.
   * Contract: agents that work side by side have different paths, such as `lead/searcher#2`.
   */
  slice(share: number, agent: string): Budget;
}
