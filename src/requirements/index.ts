// Requirements, their documents and events, and which changes of state are allowed.
export { diffRequirement, keepIds } from "./diff-requirement.js";
export type { RequirementDiff } from "./diff-requirement.js";
export { formatDesign } from "./design-document.js";
export type { DesignDocument } from "./design-document.js";
export { costEvent, eventPath, formatEvent, parseEvents, stateEvent } from "./events.js";
export type { EventProblem } from "./events.js";
export { foldState } from "./fold-state.js";
export type { FoldedState } from "./fold-state.js";
export { conflictsIn, mergeRequirements } from "./merge-requirements.js";
export type { MergedRequirement, RequirementConflict } from "./merge-requirements.js";
export { contradictedBy, footprintOf, overlapOf } from "./overlap.js";
export type { Footprint, Overlap } from "./overlap.js";
export { archive, formatIndex, requirementFolder, summaries } from "./overview.js";
export { formatRecord } from "./record-document.js";
export type { RecordInput } from "./record-document.js";
export { ownParts } from "./requirement-blocks.js";
export { approvableText, formatRequirement, logChange, parseRequirement } from "./requirement-document.js";
export type { ParsedRequirement } from "./requirement-document.js";
export type { AliasNames } from "./same-text.js";
export { approvablePlan, formatTasks, parseTasks } from "./task-list.js";
export type { PlannedTask } from "./task-list.js";
export { phaseOf, TRANSITIONS } from "./transitions.js";
export { changedLines, changedSince, issueText, lastUnderstood, understoodEvent } from "./understood.js";
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
  UnderstoodEvent,
} from "./types.js";
