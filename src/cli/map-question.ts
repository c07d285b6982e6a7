import type { SymbolKind } from "../codemap/index.js";

/** What can be asked of the code map. */
export type MapQuestion =
  | { about: "build" }
  | { about: "find"; name: string; kind: SymbolKind | null; limit?: number }
  | { about: "refs"; key: string; isAll: boolean; limit?: number }
  | { about: "lookup"; key: string; limit?: number }
  | { about: "callers"; key: string; depth?: number; limit?: number }
  | { about: "impact"; target: string; depth?: number; limit?: number }
  | { about: "diff"; revision: string; depth?: number; limit?: number }
  | { about: "outline" | "importers"; path: string; limit?: number }
  | { about: "unused"; limit?: number }
  | { about: "overview"; tokens: number }
  | { about: "graph"; target: string; svg: string | null; depth?: number };
