import type { CodeMap } from "../codemap/index.js";
import type { Code } from "../context/index.js";
import {
  type CitedCode,
  type Follow,
  type Lookups,
  knownLine,
  knownOfSymbol,
  lookUpCited,
} from "../knowledge/index.js";
import { isAccrueError } from "../shared/index.js";
import { countShown } from "./count-use.js";
import { asMaterial } from "./material.js";
import { readOrNothing } from "./read-or-nothing.js";
import type { ToolContext } from "../tools/index.js";
import type { Run } from "./types.js";

/** Finds where the code of a run has now what memories name. What cannot be found out is said, and memories stay as they are written. */
export function followIn(
  { map }: Pick<Code, "map">,
  warn: (message: string) => void,
  signal: AbortSignal,
): Follow {
  return async (names) => {
    try {
      await map.refresh(signal);
      return await map.follow(names);
    } catch (error) {
      if (!isAccrueError(error) || signal.aborted) throw error;
      warn(`What memories name is not linked to the code: ${error.message}`);
      return { files: new Map(), symbols: new Map() };
    }
  };
}

/** Reads the code that notes cite as it is in the run's checkout, so that a note whose code has changed is shown as unverified. */
export async function verifiedIn(run: Run, signal: AbortSignal): Promise<Lookups> {
  const { map } = run.code;
  const { files } = run.workspace;
  const read = async (path: string) => (await readOrNothing(files, path))?.toString("utf8") ?? null;
  let refreshed: Promise<unknown> | null = null;
  const fresh = async () => {
    await (refreshed ??= map.refresh(signal));
    return map;
  };
  return lookUpCited(run.knowledge, citedCodeOf(read, fresh));
}

/** Code that notes cite, by the files of a checkout; its map is only asked about what is not where it was. */
export function citedCodeOf(
  read: (path: string) => Promise<string | null>,
  openMap: () => Promise<Pick<CodeMap, "follow" | "definition">>,
): CitedCode {
  return {
    file: async (path) => {
      const text = await read(path);
      if (text !== null) return text;
      const { files } = await (await openMap()).follow({ files: [path], symbols: [] });
      const now = files.get(path);
      return now === undefined ? null : read(now);
    },
    definition: async (path, symbol) => {
      const key = `${path}#${symbol}`;
      const map = await openMap();
      try {
        const now = (await map.follow({ files: [], symbols: [key] })).symbols.get(key);
        return now === undefined ? null : (await map.definition(now)).text;
      } catch (error) {
        // Somebody may be writing the file at this moment: then nobody can tell.
        if (!isAccrueError(error, "INPUT_INVALID")) throw error;
        return undefined;
      }
    },
  };
}

/** What is known about a definition, for an agent's tools; what it is shown of it is counted as shown. */
export function historyIn(run: Run, phase: string): NonNullable<ToolContext["history"]> {
  return async (key, signal) => {
    const known = await knownOfSymbol(run.memory, run.knowledge, key, signal);
    const ids = known.map(({ id }) => id).filter((id) => /^(EXP|R)-/.test(id));
    countShown(run, phase, ids);
    return known.map((one) => asMaterial(knownLine(one)));
  };
}
