// Requirements, their events, and which changes of state are allowed.
export type {
  CostEvent,
  CostRow,
  Criterion,
  Phase,
  RequirementDraft,
  RequirementEvent,
  RequirementSummary,
  State,
  StateEvent,
} from "./types.js";
