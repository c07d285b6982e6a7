import picomatch from "picomatch";
import type { Memory, MemoryEvent, UseKind } from "../memory/index.js";
import { isoTime } from "../shared/index.js";
import { eventsFile } from "./memory-events.js";
import { changedFiles } from "./phases/validate.js";
import type { Run } from "./types.js";

/** What a run leaves behind by which its use of a memory is known. */
export interface Traces {
  /** All that its agents answered and wrote down. */
  said: string;
  files: readonly string[];
  /** Keys of the definitions it changed: `path#symbol`. */
  symbols: readonly string[];
}

/** Writes which memories the run really used into its own events file: what it was only shown counts nothing. */
export async function recordUses(run: Run, signal: AbortSignal): Promise<void> {
  const { map } = run.code;
  const { mirror, baseSha, head, files } = run.workspace;
  await map.refresh(signal);
  const { changed } = map.impactOfDiff(await mirror.diff(baseSha, await head()));
  const traces = {
    said: [run.documents.requirement, run.documents.design, ...run.said].join("\n"),
    files: await changedFiles(run),
    symbols: changed.map(({ key }) => key),
  };
  const at = isoTime(run.deps.clock.now());
  const known = new Set(run.memoryEvents.map(({ memory }) => memory));
  const uses = usesOf(await run.memory.memories(run.knowledge), traces).filter(
    ({ memory }) => !known.has(memory),
  );
  run.memoryEvents.push(...uses.map((use): MemoryEvent => ({ v: 1, ...use, run: run.id, at })));
  const file = eventsFile(run);
  if (file) await files.write(...file);
}

/** The memories that were used: cited by their id, or naming a file or symbol that was changed. */
export function usesOf(memories: readonly Memory[], traces: Traces): { memory: string; kind: UseKind }[] {
  const cited = new Set(traces.said.match(/\bEXP-[0-9A-Z]{4,32}\b/g) ?? []);
  const symbols = new Set(traces.symbols.flatMap((key) => [key, key.split("#")[1] ?? key]));
  return memories.flatMap(
    ({ id, files, symbols: named, linked = [], isRetired }): { memory: string; kind: UseKind }[] => {
      if (isRetired) return [];
      if (cited.has(id)) return [{ memory: id, kind: "cited" }];
      const isChanged =
        [...named, ...linked].some((symbol) => symbols.has(symbol)) ||
        files.some((file) => isAmong(file, traces.files)) ||
        // A path as it is now, and no pattern, whatever is in its name.
        linked.some((path) => traces.files.includes(path));
      return isChanged ? [{ memory: id, kind: "changed" }] : [];
    },
  );
}

/** A path, or a pattern of paths. */
function isAmong(file: string, changed: readonly string[]): boolean {
  const isMatch = picomatch(file, { dot: true });
  return changed.some((path) => isMatch(path));
}
