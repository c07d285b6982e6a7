import { sha256 } from "../../shared/index.js";
import { lifeOf } from "../decay.js";
import { foldedId, normalHash } from "../normal-text.js";
import type { DecayOptions } from "../options.js";
import type { Memory, MemoryEvent, MemoryFiles } from "../types.js";
import { indexTerms } from "../words.js";
import type { Prepared } from "./rows.js";

/** So many other wordings of a memory are kept findable. */
const MAX_WORDINGS = 5;
/** Raised when what the cache holds of a memory changes its form. */
const FORM = 2;

/** What is embedded of a memory: its text, with the title where that says more, and what it is about. */
export function embeddedText({ title, text, symbols, tags }: Memory): string {
  const said = text.startsWith(title) || title === "" ? text : `${title}\n${text}`;
  return [said, ...symbols, ...tags].join("\n");
}

/** Computes all rows of the cache from files, without reading or writing it. */
export function prepare(
  { memories, events }: MemoryFiles,
  settings: { decay: DecayOptions; embedder: string },
): Prepared[] {
  const used = usesOf(events);
  const successors = new Set(
    memories.filter(({ isRetired }) => !isRetired).flatMap(({ supersedes }) => supersedes.map(foldedId)),
  );
  const form = JSON.stringify([FORM, settings]);
  return memories.map((memory) => {
    const id = foldedId(memory.id);
    const { times, wordings } = used.get(id) ?? { times: [], wordings: [] };
    const status = memory.isRetired ? "retired" : successors.has(id) ? "superseded" : "active";
    const said = JSON.stringify(memory);
    const fingerprint = sha256(`${form}${said}${JSON.stringify([times, wordings, status])}`);
    return lazily(memory, { id, status, said, fingerprint, times, wordings, decay: settings.decay });
  });
}

interface Known {
  id: string;
  status: Prepared["status"];
  said: string;
  fingerprint: string;
  times: readonly number[];
  wordings: readonly string[];
  decay: DecayOptions;
}

/** What costs something is computed when it is asked for: of what did not change only the fingerprint is. */
function lazily(memory: Memory, known: Known): Prepared {
  let text: string | null = null;
  let hash: string | null = null;
  const embedded = () => (text ??= embeddedText(memory));
  return {
    memory,
    foldedId: known.id,
    type: memory.type,
    status: known.status,
    said: known.said,
    fingerprint: known.fingerprint,
    get normalHash() {
      return normalHash(memory.text);
    },
    get embedded() {
      return embedded();
    },
    get textHash() {
      return (hash ??= sha256(embedded()));
    },
    get terms() {
      return indexTerms([embedded(), ...memory.files, ...known.wordings].join("\n"));
    },
    get life() {
      return lifeOf(memory, known.times, known.decay);
    },
  };
}

interface Uses {
  times: number[];
  wordings: string[];
}

/** When each memory was used, once a run, and how it was said again. */
function usesOf(events: readonly MemoryEvent[]): Map<string, Uses> {
  const byMemory = new Map<string, { runs: Map<string, number>; wordings: Set<string> }>();
  for (const event of events) {
    const id = foldedId(event.memory);
    const uses = byMemory.get(id) ?? { runs: new Map<string, number>(), wordings: new Set<string>() };
    byMemory.set(id, uses);
    const at = Date.parse(event.at);
    uses.runs.set(event.run, Math.min(at, uses.runs.get(event.run) ?? at));
    if (event.kind === "seen") uses.wordings.add(event.text);
  }
  return new Map(
    [...byMemory].map(([id, { runs, wordings }]) => [
      id,
      // In one order, however the files were listed.
      {
        times: [...runs.values()].sort((a, b) => a - b),
        wordings: [...wordings].sort().slice(0, MAX_WORDINGS),
      },
    ]),
  );
}
