// Keeps what every model call cost, adds up bills, and guards budgets.
export { createLedger } from "./create-ledger.js";
export { formatTokens, formatUsd } from "./format.js";
export { renderBill } from "./render-bill.js";
export type { BillView } from "./render-bill.js";
export { weightedTokens } from "./totals.js";
export type {
  Anomaly,
  Attribution,
  Bill,
  CallRecorder,
  CallType,
  EntryFilter,
  Group,
  GroupBy,
  Ledger,
  LedgerEntry,
  OpenCall,
  Report,
  RunCost,
  Totals,
  Usage,
} from "./types.js";
