import { estimateTokens } from "../shared/index.js";
import { type RankedFile, round } from "./rank.js";

/** The room that chunks are packed into. */
export interface Room {
  tokens: number;
  perFile: number;
  /** Chunks that are packed already. */
  taken?: ReadonlyMap<string, FilledFile>;
}

/** The chunks chosen of one file, in the file's order. */
export interface FilledFile {
  ranked: RankedFile;
  chunks: number[];
  tokens: number;
}

export const FILL_WEIGHTS = {
  /** How strongly a file's place counts against a chunk's. */
  file: 1.5,
  /** The same for the best chunk of each file: one part of every likely file comes before more of one file. */
  first: 1,
  floor: 0.1,
  /** The head of a file holds its imports, which a change often touches, at little cost. */
  head: 0.2,
  size: 0.35,
  /** A smaller chunk is not better for being small: a line alone tells a reader little. */
  smallest: 60,
  /** No budget reaches further down. */
  files: 300,
};

/** About what the line that says where a part stands takes, besides its path. */
const FRAME_TOKENS = 6;

interface Offer {
  file: number;
  chunk: number;
  value: number;
  tokens: number;
}

/** What the line that names a file takes. */
export function frameTokens(path: string): number {
  return estimateTokens(path) + FRAME_TOKENS;
}

/** Packs chunks, the most relevant per token first. A large file is as welcome as a small one: only its chunks are weighed. */
export function fillRoom(ranked: readonly RankedFile[], room: Room): FilledFile[] {
  const top = ranked[0]?.score ?? 0;
  if (top <= 0) return [];
  const offers = ranked.slice(0, FILL_WEIGHTS.files).flatMap((file, index) => offersOf(file, index, top));
  offers.sort((a, b) => b.value - a.value || a.file - b.file || a.chunk - b.chunk);
  const filled = new Map<number, FilledFile>();
  let left = room.tokens;
  for (const { file, chunk, tokens } of offers) {
    const place = ranked[file];
    if (!place) continue;
    const before = room.taken?.get(place.candidate.path);
    if (before?.chunks.includes(chunk)) continue;
    const present = filled.get(file);
    const frame = present ? 0 : frameTokens(place.candidate.path);
    const used = (present?.tokens ?? 0) + frame + tokens;
    if (tokens + frame > left || used + (before?.tokens ?? 0) > room.perFile) continue;
    left -= tokens + frame;
    filled.set(file, { ranked: place, chunks: [...(present?.chunks ?? []), chunk], tokens: used });
  }
  return [...filled]
    .sort(([a], [b]) => a - b)
    .map(([, file]) => ({ ...file, chunks: file.chunks.toSorted((a, b) => a - b) }));
}

function offersOf({ score, chunks, candidate }: RankedFile, file: number, top: number): Offer[] {
  const share = score / top;
  if (share <= 0) return [];
  const most = chunks.reduce((a, b) => Math.max(a, b), 0) || 1;
  const fits = candidate.statistics.parts().chunks.map(({ tokens }, chunk) => {
    const fit = FILL_WEIGHTS.floor + (chunk === 0 ? FILL_WEIGHTS.head : 0) + (chunks[chunk] ?? 0) / most;
    return round(fit / Math.max(tokens, FILL_WEIGHTS.smallest) ** FILL_WEIGHTS.size);
  });
  const best = fits.indexOf(fits.reduce((a, b) => Math.max(a, b), 0));
  return candidate.statistics.parts().chunks.map(({ tokens }, chunk) => {
    const exponent = chunk === best ? FILL_WEIGHTS.first : FILL_WEIGHTS.file;
    return { file, chunk, value: round((fits[chunk] ?? 0) * share ** exponent), tokens };
  });
}
