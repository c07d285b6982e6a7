import type { MemoryState, MemoryType } from "../memory/index.js";

/** How a memory that is to be added was typed. */
export interface AddQuestion {
  about: "add";
  text: string;
  title: string | null;
  type: MemoryType;
  file: string[];
  symbol: string[];
  tag: string[];
  pin: boolean;
  supersedes: string[];
  /** A file of JSON lines that takes the place of the text. */
  batch: string | null;
  asIs: boolean;
  dryRun: boolean;
}

/** What a recall asks for. */
export interface RecallQuestion {
  about: "recall";
  text: string;
  limit: number | null;
  type: MemoryType[];
  file: string[];
  symbol: string[];
  under: string | null;
  cold: boolean;
  batch: string | null;
}

/** One question of `accrue memory`. */
export type MemoryQuestion =
  | AddQuestion
  | RecallQuestion
  | { about: "list"; type: MemoryType | null; state: MemoryState | null; limit: number | null }
  | { about: "show"; id: string }
  | { about: "forget"; id: string }
  | { about: "rebuild" | "stats" };
