import type { Database } from "../db/index.js";
import type { FilePast } from "../git/index.js";
import { createBinder } from "./bind/index.js";
import { createCodeMap } from "./create-code-map.js";
import type { Index, TreeSource } from "./map-types.js";
import type { CodeMap } from "./queries/types.js";
import { createIndex, openMapDatabase } from "./store/index.js";

/** What opening a map needs of the machine. */
export interface OpenDeps {
  /** Milliseconds since 1970. */
  now(): number;
  /** Is told when a broken database was begun anew. */
  warn(message: string): void;
}

/** The code map of one checkout, until it is closed. */
export interface OpenMap {
  map: CodeMap;
  index: Index;
  /** Other stores may keep there what can be read again from the repository. */
  db: Database;
  close(): Promise<void>;
}

/** Opens the code map of a checkout; its database may be shared with other checkouts of the repository. */
export async function openCodeMap(
  { now, warn }: OpenDeps,
  { tree, database, past }: { tree: TreeSource; database: string; past?: FilePast },
): Promise<OpenMap> {
  const db = openMapDatabase(database, warn);
  try {
    const index = await createIndex({ db, tree, now });
    const read = (path: string) => tree.read(path);
    const map = createCodeMap({ index, binder: createBinder(index), read, past: past ?? null });
    const close = async () => {
      await index.close();
      db.close();
    };
    return { map, index, db, close };
  } catch (error) {
    db.close();
    throw error;
  }
}
