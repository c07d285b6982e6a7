import { type Source, isWordCode } from "./source.js";

/** The names of one file by number, so that one said often is made once. 0 stands for none. Gone when the next file is read. */
export interface Names {
  /** The name that starts at an index of the text. */
  at(index: number): number;
  /** The number of a text. */
  of(said: string): number;
  text(name: number): string;
  /** More than any number so far. */
  count(): number;
}

// Most texts have fewer names, and are read one after another, so they share these.
const shared: Int32Array = new Int32Array(4096);
/** What the FNV hash starts with, and what it multiplies by. */
const HASH_START = 0x811c9dc5 | 0;
const HASH_STEP = 0x01000193;
const BEYOND_ASCII = 128;
const NUMBER_SIGN = 35;

/** Numbers the names of a text as they are asked for. */
export function createNames(source: Source): Names {
  const { text } = source;
  const said = [""];
  const hashes = [0];
  let slots = shared.fill(0);

  function put(hash: number): number {
    const last = slots.length - 1;
    let slot = spread(hash) & last;
    while (slots[slot] !== 0) slot = (slot + 1) & last;
    return slot;
  }

  function grow(): void {
    slots = new Int32Array(slots.length * 2);
    for (let name = 1; name < said.length; name++) slots[put(hashes[name] ?? 0)] = name;
  }

  /** The number of what stands in `from` between two indices. */
  function numberOf(from: string, start: number, end: number, hash: number): number {
    const last = slots.length - 1;
    let slot = spread(hash) & last;
    for (let name = slots[slot] ?? 0; name !== 0; name = slots[slot] ?? 0) {
      if (hashes[name] === hash && isSame(said[name] ?? "", from, start, end)) return name;
      slot = (slot + 1) & last;
    }
    const name = said.push(from.slice(start, end)) - 1;
    hashes.push(hash);
    slots[slot] = name;
    if (said.length * 2 > slots.length) grow();
    return name;
  }

  function of(word: string): number {
    if (word === "") return 0;
    let hash = HASH_START;
    for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), HASH_STEP);
    return numberOf(word, 0, word.length, hash);
  }

  function plainAt(index: number): number {
    let end = index;
    let code = text.charCodeAt(index);
    let hash = HASH_START;
    if (code === NUMBER_SIGN) {
      hash = Math.imul(hash ^ code, HASH_STEP);
      code = text.charCodeAt(++end);
    }
    while (isWordCode(code)) {
      hash = Math.imul(hash ^ code, HASH_STEP);
      code = text.charCodeAt(++end);
    }
    if (code >= BEYOND_ASCII) return of(source.wordAt(index));
    return end === index ? 0 : numberOf(text, index, end, hash);
  }

  return {
    at: source.hasPlainWords ? plainAt : (index) => of(source.wordAt(index)),
    of,
    text: (name) => said[name] ?? "",
    count: () => said.length,
  };
}

function isSame(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at++)
    if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  return true;
}

function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}
