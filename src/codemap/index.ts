// Knows where things are in a repository.
export { outlineFiles } from "./outline.js";
export type { Index, MappedFile } from "./map-types.js";
export type { FileFacts, SymbolFact } from "./types.js";
