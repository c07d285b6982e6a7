import type { ImportFact } from "../types.js";
import type { Meaning } from "./meaning.js";
import type { View } from "./views.js";

/** How the names of one file are found from another, in one module system. */
export interface ModuleRules {
  /** What a bare name stands for in a file when no scope of the file has it: an import, a neighbour of its package. */
  visible(view: View, name: string): Meaning[];
  /** What a module gives out under a name. */
  member(module: string, name: string): Meaning[];
  /** What an import brings in under a name of its source. */
  imported(view: View, fact: ImportFact, name: string): Meaning[];
  /** Files in the tree that a file's imports lead to. */
  files(view: View): string[];
}
