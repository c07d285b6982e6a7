import { join } from "node:path";
import { createCheckoutTree, createIndex, openMapDatabase } from "../codemap/index.js";
import { type Context, createContext, readHistory } from "../context/index.js";
import type { Git } from "../git/index.js";
import type { Clock } from "../shared/index.js";

/** What opening the packing of a checkout needs. */
export interface OpenContextDeps {
  git: Git;
  clock: Clock;
  signal: AbortSignal;
  warn(message: string): void;
}

/** A checkout's packing, with its map brought up to date. */
export interface OpenContext {
  context: Context;
  close(): Promise<void>;
}

/** Opens a person's checkout for packs; `data` is the folder that holds its code map. */
export async function openContext(deps: OpenContextDeps, root: string, data: string): Promise<OpenContext> {
  const { git, clock, signal, warn } = deps;
  const db = openMapDatabase(join(data, "codemap.db"), warn);
  const tree = createCheckoutTree(git, root);
  const index = await createIndex({ db, tree, now: clock.now });
  const close = async () => {
    await index.close();
    db.close();
  };
  try {
    await index.refresh({}, signal);
    const history = (limit: number) => readHistory(git, root, limit, signal);
    return { context: createContext({ db, index, read: tree.read, history }), close };
  } catch (error) {
    await close();
    throw error;
  }
}
