// Rules, notes and deposits as files, what fits a task, and the fold as a computation.
export { checkKnowledge } from "./check-knowledge.js";
export { formatDeposit, parseDeposit } from "./deposit.js";
export { depositOf } from "./deposit-of.js";
export { fold } from "./fold.js";
export { formatNote } from "./format-note.js";
export { formatRule } from "./format-rule.js";
export { knowledgeText } from "./knowledge-text.js";
export { match } from "./match.js";
export { formatMemory, readMemories, retireMemory } from "./memories.js";
export type { ReadMemories } from "./memories.js";
export { parseNote } from "./note.js";
export { parseRules } from "./rules.js";
export type {
  Answer,
  Deposit,
  DepositInput,
  FoldInput,
  FoldResult,
  Note,
  Problem,
  Query,
  Rule,
  RuleKind,
  RuleLevel,
  Tree,
} from "./types.js";
