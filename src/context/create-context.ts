import type { Index } from "../codemap/index.js";
import type { Database } from "../db/index.js";
import type { BridgeTerm, CallerItem, Context, PackRequest, PastCommit } from "./types.js";

/** What packing needs of the outside. */
export interface ContextDeps {
  /** May be the code map's own file. */
  db: Database;
  index: Pick<Index, "files" | "file" | "facts">;
  /** Null when there is no such file. */
  read(path: string): Promise<Buffer | null>;
  /** Newest first, at most `limit`. Asked once: an agent's own commits say nothing about what to read. */
  history(limit: number): Promise<readonly PastCommit[]>;
  /** Who uses what will probably change; most certain first. */
  callers?(keys: readonly string[]): CallerItem[];
  /** Terms of code that the words of a text in another language stand for. */
  bridge?(text: string): BridgeTerm[];
}

/** How much is packed when a request does not say. */
export type ContextOptions = Pick<PackRequest, "maxTokens" | "maxFileTokens">;

/** Opens the packing of one checkout; what it learns of a blob is kept in the database. */
export declare function createContext(deps: ContextDeps, options?: ContextOptions): Context;
