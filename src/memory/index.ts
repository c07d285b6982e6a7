// Stores what was learnt and finds the fitting again.
export { blend, coverageOf, sureness, weighTerms } from "./coverage.js";
export type { Coverage, TermCounts, WeighedTerms, WordTelling, WordVectors } from "./coverage.js";
export { createEmbedder } from "./create-embedder.js";
export { createMemoryStore } from "./create-memory-store.js";
export type { MemoryStoreDeps } from "./create-memory-store.js";
export { createApiEmbedder } from "./embed/api-embedder.js";
export type { ApiEmbedderOptions } from "./embed/api-embedder.js";
export { createHashEmbedder } from "./embed/hash-embedder.js";
export { createStaticEmbedder, hasStaticTable } from "./embed/static-embedder.js";
export { createWordBridge } from "./embed/word-bridge.js";
export type { BridgedWord } from "./embed/word-bridge.js";
export { closeness } from "./embed/vectors.js";
export { errorSignature, errorSignatures } from "./error-signature.js";
export type { ErrorSignature } from "./error-signature.js";
export { eventsPath, formatEvents, isEventsPath, parseEvents } from "./events.js";
export type { EventProblem } from "./events.js";
export { differenceOf } from "./guard.js";
export type { Difference } from "./guard.js";
export { GENERAL_WORDS } from "./general-words.js";
export { foldedId } from "./normal-text.js";
export { allowedEmbedder } from "./allowed-embedder.js";
export { EmbedderOptions, EmbeddingServer, MemoryOptions } from "./options.js";
export { findSecrets } from "./secrets.js";
export type { FoundSecret } from "./secrets.js";
export { openMemoryDatabase, removeMemoryDatabase } from "./store/open-memory-database.js";
export type { MemoryDatabase } from "./store/open-memory-database.js";
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
