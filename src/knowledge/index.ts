// Rules, notes and deposits as files, what fits a task, and the fold as a computation.
export type {
  Answer,
  Deposit,
  FoldResult,
  Note,
  Problem,
  Query,
  Rule,
  RuleKind,
  RuleLevel,
  Tree,
} from "./types.js";
