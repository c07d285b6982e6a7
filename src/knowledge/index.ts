// Rules, notes and deposits as files, what fits a task, and the fold as a computation.
export { addInstruction } from "./add-instruction.js";
export type { AddedInstruction } from "./add-instruction.js";
export { checkKnowledge } from "./check-knowledge.js";
export { depositPath, formatDeposit, parseDeposit } from "./deposit.js";
export { depositOf } from "./deposit-of.js";
export { depositsOf, recordedOf } from "./deposits-of.js";
export type { DepositsBasis, Recorded, RecordedLesson, SkipCode, SkippedLesson } from "./deposits-of.js";
export { fixKnowledge } from "./fix-knowledge.js";
export type { Fixed } from "./fix-knowledge.js";
export type { Fix } from "./fix-rules.js";
export { fold } from "./fold.js";
export { forget } from "./forget.js";
export type { Forgotten } from "./forget.js";
export { formatNote } from "./format-note.js";
export { formatRule } from "./format-rule.js";
export { glossaryOf, otherNames, parseGlossary } from "./glossary.js";
export type { AliasGroup, Glossary } from "./glossary.js";
export { knowledgeText } from "./knowledge-text.js";
export { allRules } from "./library.js";
export { learnable } from "./learnable.js";
export type { Learnable } from "./learnable.js";
export { DepositedLesson } from "./lesson.js";
export { match } from "./match.js";
export { isStill, mergeKnowledge, stateOf } from "./merge-knowledge.js";
export type { KnowledgeMerge } from "./merge-knowledge.js";
export { formatMemory, readMemories, retireMemory } from "./memories.js";
export type { ReadMemories } from "./memories.js";
export { parseNote } from "./note.js";
export type { Follow } from "./link-memories.js";
export { knownLine, knownOfSymbol } from "./known-of-symbol.js";
export type { KnownOfSymbol } from "./known-of-symbol.js";
export { lookUpCited } from "./look-up-cited.js";
export type { CitedCode } from "./look-up-cited.js";
export { openTreeMemory } from "./open-tree-memory.js";
export type { TreeMemory, TreeMemoryDeps } from "./open-tree-memory.js";
export { checkPointers } from "./check-pointers.js";
export { mentionsOf } from "./mentions.js";
export { qualify, unqualify } from "./qualify.js";
export { shareKnowledge } from "./share-knowledge.js";
export type { SharedTree } from "./share-knowledge.js";
export { otherRoots } from "./other-roots.js";
export { knowledgeForPhase, MAX_PHASE_TOKENS } from "./phase-knowledge.js";
export type { PhaseItem, PhaseKnowledge } from "./phase-knowledge.js";
export { recallSurely, sureOf } from "./recall-surely.js";
export type { SureQuery } from "./recall-surely.js";
export { recordRemark } from "./record-remark.js";
export type { RecordedRemark, RemarkBasis } from "./record-remark.js";
export { PHASES } from "./rule-keys.js";
export { parseRules } from "./rules.js";
export {
  introduction,
  isReadme,
  isScaffolded,
  languageOfReadme,
  scaffold,
  scaffoldSources,
} from "./scaffold.js";
export type { Scaffold, ScaffoldInput } from "./scaffold.js";
export { factTitle, isManifest, stackFacts } from "./stack-facts.js";
export type { StackFact } from "./stack-facts.js";
export { citedCode, formatEvidence } from "./verify.js";
export type { Cited } from "./verify.js";
export { weighDeposit } from "./weigh-deposit.js";
export type { Contradiction, WeighedDeposit } from "./weigh-deposit.js";
export type {
  Answer,
  Deposit,
  DepositInput,
  FoldInput,
  FoldResult,
  Lookups,
  Note,
  Problem,
  Query,
  Rule,
  RuleKind,
  RuleLevel,
  Tree,
  WaitingDeposit,
} from "./types.js";
