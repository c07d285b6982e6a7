import { closenessOf } from "../embed/vectors.js";
import { type Difference, differenceOf } from "../guard.js";
import { NAMING_EXAMPLE, namesSomething } from "../naming.js";
import { foldedId, normalHash } from "../normal-text.js";
import type { MemoryOptions } from "../options.js";
import type { Embedder, Judgement, Memory, MemoryType } from "../types.js";
import { queryTerms } from "../words.js";
import { filterValues } from "./filter.js";
import type { Nearest } from "./nearest.js";
import { embeddedText } from "./prepare.js";
import type { Reader } from "./reader.js";
import { currentOf } from "./recall.js";
import type { Stored } from "./rows.js";

/** So many neighbours by meaning, and so many by words, are compared. */
const NEIGHBOURS = 20;
const MAX_RELATED = 5;
/** Where on the scale of `memory.dedup` the embedder's own calibration lies. */
const CALIBRATED = 0.9;

/** What judging works with. */
export interface JudgeDeps {
  reader: Reader;
  nearest: Nearest;
  embed(text: string, signal: AbortSignal): Promise<Float32Array | null>;
  now(): number;
  dedup: MemoryOptions["dedup"];
  thresholds: Embedder["thresholds"];
}

/** A neighbour with how close it is. */
interface Neighbour {
  stored: Stored;
  similarity: number;
}

/** Brings a value of `memory.dedup` from its common scale to an embedder's similarities. */
export function rescaled(value: number, { same }: Embedder["thresholds"]): number {
  return 1 - ((1 - value) * (1 - same)) / (1 - CALIBRATED);
}

/** Decides about a new memory. Similarity alone never merges: what contradicts is closer than what paraphrases. */
export async function judge(deps: JudgeDeps, memory: Memory, signal: AbortSignal): Promise<Judgement> {
  const exact = judgeExact(deps.reader, memory);
  if (exact !== null) return exact;
  const neighbours = await neighboursOf(deps, memory, signal);
  return judgeNeighbours(deps, memory, neighbours) ?? judgeNew(deps, memory, neighbours);
}

function judgeExact(reader: Reader, memory: Memory): Judgement | null {
  const hash = normalHash(memory.text);
  const [same] = reader.byHash(hash).filter(({ status }) => status !== "retired");
  if (same !== undefined) return merged(reader, same, { similarity: 1, how: "says the same word for word" });
  const named = reader.byId(memory.id);
  if (named === null) return null;
  const reason = `${named.memory.id} is there with another text: it is not overwritten`;
  return { action: "conflict", target: named.memory.id, similarity: 0, reason };
}

/** To say again what was superseded contradicts what stands in its place. */
function merged(
  reader: Reader,
  stored: Stored,
  { similarity, how }: { similarity: number; how: string },
): Judgement {
  const { id } = stored.memory;
  const [current] = currentOf(reader, stored);
  if (current === undefined || current.rid === stored.rid)
    return { action: "touched", target: id, similarity, reason: `${id} ${how}` };
  const target = current.memory.id;
  return {
    action: "conflict",
    target,
    similarity,
    reason: `${id} ${how}, and ${target} stands in its place`,
  };
}

async function neighboursOf(deps: JudgeDeps, memory: Memory, signal: AbortSignal): Promise<Neighbour[]> {
  const { reader, nearest } = deps;
  const text = embeddedText(memory);
  const vector = await deps.embed(text, signal);
  const filter = filterValues({ now: deps.now(), cold: true, under: null });
  const rids = new Set([
    ...(vector === null ? [] : nearest(vector, filter, NEIGHBOURS)),
    ...reader.byWords(queryTerms(text), filter, NEIGHBOURS),
  ]);
  return reader
    .rows([...rids])
    .map((row) => ({ stored: row.stored, similarity: closenessOf(vector, row.vector) }))
    .sort((a, b) => b.similarity - a.similarity || (a.stored.memory.id < b.stored.memory.id ? -1 : 1));
}

function judgeNeighbours(
  deps: JudgeDeps,
  memory: Memory,
  neighbours: readonly Neighbour[],
): Judgement | null {
  const least = rescaled(deps.dedup[memory.type], deps.thresholds);
  const alike = neighbours
    .filter(({ similarity }) => similarity >= least)
    .map((one) => ({ ...one, difference: hardDifference(memory, one.stored.memory) }));
  const same = alike.find(
    ({ stored, difference }) => difference === null && stored.memory.type === memory.type,
  );
  if (same !== undefined) {
    const { similarity } = same;
    return merged(deps.reader, same.stored, { similarity, how: "says the same in other words" });
  }
  const other = alike.find(
    ({ stored, difference }) => difference !== null && speakOfOneThing(stored.memory.type, memory.type),
  );
  if (other === undefined || other.difference === null) return null;
  const current = currentOf(deps.reader, other.stored)[0] ?? other.stored;
  // What supersedes the other one says already that it is no longer true.
  if (memory.supersedes.some((id) => foldedId(id) === foldedId(current.memory.id))) return null;
  const { said } = other.difference;
  const target = current.memory.id;
  return {
    action: "conflict",
    target,
    similarity: other.similarity,
    reason: `${target} says otherwise: ${said}`,
  };
}

function hardDifference(a: Memory, b: Memory): Difference | null {
  return differenceOf(a.text, b.text);
}

/** What happened twice is no contradiction of what is so. */
function speakOfOneThing(a: MemoryType, b: MemoryType): boolean {
  return a === b || (a !== "event" && b !== "event");
}

function judgeNew(
  { reader, thresholds }: JudgeDeps,
  memory: Memory,
  neighbours: readonly Neighbour[],
): Judgement {
  const similarity = neighbours[0]?.similarity ?? 0;
  const refused = (reason: string): Judgement => ({ action: "refused", target: null, similarity, reason });
  if (!namesSomething(memory)) return refused(`it names no file, symbol or decision: ${NAMING_EXAMPLE}`);
  const put = reader.byHash(normalHash(memory.text)).find(({ status }) => status === "retired");
  if (put !== undefined && memory.source !== "user")
    return refused(
      `a person put ${put.memory.id} aside, which says the same: set its status to active again`,
    );
  const related = neighbours.filter((one) => one.similarity >= thresholds.related).slice(0, MAX_RELATED);
  return {
    action: "created",
    target: null,
    similarity,
    reason: related.length > 0 ? "nothing says the same; related ones are named" : "nothing says the same",
    related: related.map(({ stored }) => stored.memory.id),
  };
}
