import type { DecayOptions } from "./options.js";
import type { Memory } from "./types.js";

const DAY_MS = 86_400_000;
const [LEAST, MOST] = [0.05, 3];
/** Facts and decisions stay true longer than what happened once. */
const SLOWER = 2;
/** What nobody asks for again until the day it matters. */
const PROTECTED =
  /\b(prod(uction)?|security|secrets?|credentials?|passwords?|permissions?|delet(e[sd]?|ing|ion)|drop(s|ped)? (table|database)|truncate[sd]?|irreversible)\b|生产|线上|安全|密码|密钥|凭证|权限|删除|清空|不可逆/i;

/** A memory's life, from which its weight follows at any time. */
export interface Life {
  /** Its weight when it was last used, or made. */
  weight: number;
  /** When that was; null when nobody knows, so that it does not age. */
  since: number | null;
  periodMs: number;
  /** From when on it is cold if nothing more happens; null: never. */
  coldFrom: number | null;
}

/** Pinned, given by a person, or about what must not go wrong: such a memory never goes cold. */
export function isEvergreen(memory: Memory): boolean {
  if (memory.isPinned || memory.source === "user" || memory.source === "document") return true;
  const lasts = memory.type === "fact" || memory.type === "decision";
  return lasts && PROTECTED.test(`${memory.title}\n${memory.text}\n${memory.tags.join(" ")}`);
}

/** Computes a memory's life from when it was made and when runs used it, one time a run. */
export function lifeOf(memory: Memory, usedAt: readonly number[], decay: DecayOptions): Life {
  const lasts = memory.type === "fact" || memory.type === "decision";
  const periodMs = decay.period_days * DAY_MS * (lasts ? SLOWER : 1);
  const created = Date.parse(memory.created);
  let weight = 1;
  let since = Number.isNaN(created) ? null : created;
  for (const at of [...usedAt].sort((a, b) => a - b)) {
    const before = aged({ weight, since, periodMs }, at, decay);
    weight = before < decay.cold_below ? 1 : Math.min(MOST, before + decay.used);
    since = Math.max(at, since ?? at);
  }
  const coldFrom = isEvergreen(memory) ? null : coldAt({ weight, since, periodMs }, decay);
  return { weight, since, periodMs, coldFrom };
}

/** The weight at a time: 5 % less for each whole period without use. */
export function weightAt(life: Life, now: number, decay: DecayOptions): number {
  const weight = aged(life, now, decay);
  return life.coldFrom === null ? Math.max(weight, decay.cold_below) : weight;
}

function aged(
  { weight, since, periodMs }: Omit<Life, "coldFrom">,
  now: number,
  { rate }: DecayOptions,
): number {
  const periods = since === null ? 0 : Math.max(0, Math.floor((now - since) / periodMs));
  return Math.min(MOST, Math.max(LEAST, weight * (1 - rate) ** periods));
}

function coldAt({ weight, since, periodMs }: Omit<Life, "coldFrom">, decay: DecayOptions): number | null {
  if (since === null || decay.rate === 0 || decay.cold_below <= LEAST) return null;
  if (weight < decay.cold_below) return since;
  let periods = Math.floor(Math.log(decay.cold_below / weight) / Math.log(1 - decay.rate));
  while (weight * (1 - decay.rate) ** periods >= decay.cold_below) periods += 1;
  return since + periods * periodMs;
}
