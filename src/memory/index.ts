// Stores what was learnt and finds the fitting again.
export { blend, coverageOf, weighTerms } from "./coverage.js";
export type { Coverage, TermCounts, WeighedTerms, WordVectors } from "./coverage.js";
export { createApiEmbedder } from "./embed/api-embedder.js";
export type { ApiEmbedderOptions } from "./embed/api-embedder.js";
export { createHashEmbedder } from "./embed/hash-embedder.js";
export { createStaticEmbedder, hasStaticTable } from "./embed/static-embedder.js";
export { closeness } from "./embed/vectors.js";
export { differenceOf } from "./guard.js";
export type { Difference } from "./guard.js";
export { MEMORY_TYPES } from "./types.js";
export type {
  Embedder,
  Judgement,
  Memory,
  MemoryEvent,
  MemoryFiles,
  MemoryRefreshed,
  MemorySource,
  MemoryState,
  MemoryStore,
  MemoryType,
  Recalled,
  RecallQuery,
  UseKind,
} from "./types.js";
export { indexTerms, matchExpression, queryTerms, wordsOf } from "./words.js";
