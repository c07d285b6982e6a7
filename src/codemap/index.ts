// Knows where things are in a repository.
export { outlineFiles } from "./outline.js";
export { createIndex, openMapDatabase } from "./store/index.js";
export type { IndexDependencies, RefreshableIndex } from "./store/index.js";
export { createCheckoutTree } from "./checkout-tree.js";
export type { Index, MappedFile, Refreshed, TreeEntry, TreeSource } from "./map-types.js";
export type { FileFacts, SymbolFact } from "./types.js";
