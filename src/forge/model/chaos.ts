import type { BrokenStream, Fault } from "./fault.js";

const MAX_AFTER_EVENTS = 6;

/** How often things go wrong over a whole run: shares between 0 and 1, the same ones for the same seed. */
export interface Chaos {
  seed: number;
  /** HTTP 529. */
  overloaded?: number;
  /** HTTP 429 without `retry-after`. */
  rateLimited?: number;
  /** The ways in which a stream breaks. */
  error?: number;
  drop?: number;
  end?: number;
}

/** Mulberry32: small, and the same everywhere. */
function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Gives what goes wrong with each request in turn, mostly nothing. */
export function createChaos(chaos: Chaos): () => Fault | null {
  const random = createRandom(chaos.seed);
  const broken = (how: BrokenStream["how"]) => (): Fault => {
    return { kind: "broken-stream", how, afterEvents: 1 + Math.floor(random() * MAX_AFTER_EVENTS) };
  };
  const faults: [number | undefined, () => Fault][] = [
    [chaos.overloaded, () => ({ kind: "status", status: 529 })],
    [chaos.rateLimited, () => ({ kind: "status", status: 429 })],
    [chaos.error, broken("error")],
    [chaos.drop, broken("drop")],
    [chaos.end, broken("end")],
  ];
  return () => {
    let roll = random();
    for (const [share = 0, fault] of faults) {
      if (roll < share) return fault();
      roll -= share;
    }
    return null;
  };
}
