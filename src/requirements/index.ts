// Requirements, their documents and events, and which changes of state are allowed.
export { formatDesign } from "./design-document.js";
export type { DesignDocument } from "./design-document.js";
export { costEvent, eventPath, formatEvent, parseEvents, stateEvent } from "./events.js";
export type { EventProblem } from "./events.js";
export { foldState } from "./fold-state.js";
export type { FoldedState } from "./fold-state.js";
export { archive, formatIndex, requirementFolder, summaries } from "./overview.js";
export { formatRecord } from "./record-document.js";
export type { RecordInput } from "./record-document.js";
export { formatRequirement, parseRequirement } from "./requirement-document.js";
export type { ParsedRequirement } from "./requirement-document.js";
export { formatTasks, parseTasks } from "./task-list.js";
export type { PlannedTask } from "./task-list.js";
export { phaseOf, TRANSITIONS } from "./transitions.js";
export type {
  ApprovalEvent,
  Approvable,
  Autonomy,
  AutonomyEvent,
  BudgetEvent,
  CostEvent,
  CostRow,
  Criterion,
  FailedEvent,
  Phase,
  RequirementDraft,
  RequirementEvent,
  RequirementSummary,
  State,
  StateEvent,
} from "./types.js";
