// Knows where things are in a repository, who uses them, and what a change can break.
export { createBinder } from "./bind/index.js";
export { createCheckoutTree } from "./checkout-tree.js";
export { decodeText } from "./decode-text.js";
export { isTestPath } from "./is-test.js";
export { keepTexts } from "./keep-texts.js";
export { pathToSkip } from "./reason-to-skip.js";
export { createCodeMap } from "./create-code-map.js";
export type { CodeMapDeps } from "./create-code-map.js";
export type {
  Binder,
  FoundReference,
  Index,
  MappedFile,
  MappedSymbol,
  Refreshed,
  TreeSource,
} from "./map-types.js";
export { openCodeMap } from "./open-code-map.js";
export type { OpenDeps, OpenMap } from "./open-code-map.js";
export { mermaidOf, svgOf } from "./queries/draw.js";
export { dependentLine, symbolLine, useLine, warningLines } from "./queries/lines.js";
export type {
  CodeMap,
  DefinitionText,
  Dependent,
  Followed,
  Graph,
  GraphNode,
  Impact,
  Limit,
  Listing,
  Lookup,
  Names,
  Use,
  Warning,
} from "./queries/types.js";
export { createSourceReader, LANGUAGE_NAMES } from "./source-reader.js";
export type { SourcePlace, SourceReader } from "./source-reader.js";
export { readDiff } from "./queries/diff-lines.js";
export type { ChangedFile } from "./queries/diff-lines.js";
export { createIndex, openMapDatabase } from "./store/index.js";
export type { IndexDependencies, RefreshableIndex } from "./store/index.js";
export { SYMBOL_KINDS } from "./types.js";
export type { Confidence, FileFacts, ImportFact, ReferenceKind, SymbolFact, SymbolKind } from "./types.js";
