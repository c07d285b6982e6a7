// Keeps what every model call cost, adds up bills, and guards budgets.
export type { Attribution, CallType, LedgerEntry, Usage } from "./types.js";
