// The words that every module uses: errors, time, ids and text.
export { AccrueError, ERROR_CODES, isAccrueError, messageOf } from "./errors.js";
export type { ErrorCode, ErrorOptions } from "./errors.js";
export { isoTime, sleep } from "./clock.js";
export type { Clock } from "./clock.js";
export { createUlids, randomBase32, requirementId, sha256 } from "./ids.js";
export {
  clipEnd,
  clipMarkdown,
  clipMiddle,
  estimateTokens,
  hasCjk,
  languageOf,
  marker,
  slug,
  weighTokens,
} from "./text.js";
export type { Language } from "./text.js";
export type { System } from "./system.js";
export type { Outcome, RepositoryRef } from "./words.js";
export { linkSignals } from "./signals.js";
export { foldersOf } from "./folders-of.js";
export { createTurns } from "./turns.js";
export type { InTurn } from "./turns.js";
export type { LinkedSignal } from "./signals.js";
export { visibleText } from "./visible-text.js";
export { spokenPart } from "./spoken-part.js";
export { inertLine, inertSubject, inertText } from "./inert.js";
export { closest } from "./closest.js";
