// Keeps what every model call cost, adds up bills, and guards budgets.
export { createBudget } from "./budget.js";
export type { BudgetScope } from "./budget.js";
export { BudgetOptions } from "./budget-options.js";
export { budgetText } from "./budget-text.js";
export type { BudgetView } from "./budget-text.js";
export type {
  Budget,
  BudgetStatement,
  BudgetStop,
  BudgetStore,
  BudgetUnit,
  BudgetWish,
  RequirementRef,
  StatedBudget,
} from "./budget-types.js";
export { createLedger } from "./create-ledger.js";
export { formatTokens, formatUsd } from "./format.js";
export { parseBudget } from "./parse-budget.js";
export { QUESTION_PHASE } from "./question-phase.js";
export { renderBill } from "./render-bill.js";
export type { BillView } from "./render-bill.js";
export { weightedTokens } from "./totals.js";
export type {
  Anomaly,
  AnomalyName,
  Attribution,
  Bill,
  BookedRun,
  CallRecorder,
  CallType,
  EntryFilter,
  Group,
  GroupBy,
  Ledger,
  LedgerEntry,
  OpenCall,
  Pack,
  PackSums,
  PhaseTokens,
  Report,
  RunCost,
  SimilarRequirement,
  Spent,
  Totals,
  Usage,
  Use,
  UseCount,
  Waste,
  WasteKind,
} from "./types.js";
