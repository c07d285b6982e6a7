import { type BlobStatistics, placeOf } from "./statistics.js";

/** One file that may be chosen. */
export interface Candidate {
  path: string;
  statistics: BlobStatistics;
  /** Terms of its path; those of its name count twice. */
  pathTerms: ReadonlyMap<number, number>;
  /** Whether it tests, shows or describes the product, so that it is ranked apart. */
  isApart: boolean;
}

/** Takes the place of a file that holds a term, and how often its text, its names and its path do. */
export type Visit = (file: number, text: number, names: number, path: number) => void;

/** The files of a tree, and which of them hold a term. */
export interface Corpus {
  /** Takes the files of the tree as it is now. */
  update(files: readonly Candidate[]): void;
  files(): readonly Candidate[];
  visit(term: number, visit: Visit): void;
}

/** Files that are searched one by one; more of them are worth being put into the tables. */
const MOST_LOOSE = 200;

/** Which files hold which terms: those of term number `i` are the entries `starts[i]` to `starts[i + 1]`. */
interface Tables {
  files: readonly Candidate[];
  slots: ReadonlyMap<string, number>;
  numbers: ReadonlyMap<number, number>;
  starts: Uint32Array;
  slot: Uint32Array;
  text: Uint16Array;
  names: Uint16Array;
  path: Uint8Array;
}

/**
 * Makes the corpus of one checkout. Tables of who holds what make every search but the first fast; the first one goes
 * through all files, because a command that asks only once would wait longer for the tables.
 */
export function createCorpus(): Corpus {
  let tables = buildTables([]);
  let files: readonly Candidate[] = [];
  let loose: number[] = [];
  /** Where a file of the tables is now; -1 when it is gone or another. */
  let places = new Int32Array();
  let isAsked = false;

  function place(): void {
    places = new Int32Array(tables.files.length).fill(-1);
    loose = [];
    for (const [index, { path, statistics }] of files.entries()) {
      const slot = tables.slots.get(path);
      if (slot !== undefined && tables.files[slot]?.statistics === statistics) places[slot] = index;
      else loose.push(index);
    }
  }

  return {
    update: (next) => {
      files = next;
      place();
      if (!isAsked || loose.length <= MOST_LOOSE) return;
      tables = buildTables(files);
      place();
    },
    files: () => files,
    visit: (term, visit) => {
      isAsked = true;
      const number = tables.numbers.get(term);
      if (number !== undefined) visitTables(tables, places, number, visit);
      for (const index of loose) visitFile(files[index], index, term, visit);
    },
  };
}

function visitTables(
  { starts, slot, text, names, path }: Tables,
  places: Int32Array,
  number: number,
  visit: Visit,
): void {
  const end = starts[number + 1] ?? 0;
  for (let entry = starts[number] ?? 0; entry < end; entry++) {
    const file = places[slot[entry] ?? 0] ?? -1;
    if (file >= 0) visit(file, text[entry] ?? 0, names[entry] ?? 0, path[entry] ?? 0);
  }
}

function visitFile(file: Candidate | undefined, index: number, term: number, visit: Visit): void {
  if (!file) return;
  const { words } = file.statistics;
  const place = placeOf(words.terms, term);
  const path = file.pathTerms.get(term) ?? 0;
  if (place >= 0) visit(index, words.text[place] ?? 0, words.names[place] ?? 0, path);
  else if (path > 0) visit(index, 0, 0, path);
}

function buildTables(files: readonly Candidate[]): Tables {
  const numbers = new Map<number, number>();
  const sizes: number[] = [];
  const held = files.map((file) => {
    const terms = [...file.statistics.words.terms, ...pathOnly(file)];
    return Uint32Array.from(terms, (term) => {
      let number = numbers.get(term);
      if (number === undefined) numbers.set(term, (number = sizes.push(0) - 1));
      sizes[number] = (sizes[number] ?? 0) + 1;
      return number;
    });
  });
  const starts = new Uint32Array(sizes.length + 1);
  for (const [number, size] of sizes.entries()) starts[number + 1] = (starts[number] ?? 0) + size;
  const length = starts[sizes.length] ?? 0;
  const next = starts.slice();
  const tables = {
    slot: new Uint32Array(length),
    text: new Uint16Array(length),
    names: new Uint16Array(length),
    path: new Uint8Array(length),
  };
  for (const [slot, file] of files.entries()) {
    const { terms, text, names } = file.statistics.words;
    const others = pathOnly(file);
    for (const [place, number] of (held[slot] ?? []).entries()) {
      const entry = next[number] ?? 0;
      next[number] = entry + 1;
      tables.slot[entry] = slot;
      tables.text[entry] = text[place] ?? 0;
      tables.names[entry] = names[place] ?? 0;
      tables.path[entry] = file.pathTerms.get(terms[place] ?? others[place - terms.length] ?? 0) ?? 0;
    }
  }
  return { files, slots: new Map(files.map(({ path }, slot) => [path, slot])), numbers, starts, ...tables };
}

function pathOnly({ statistics, pathTerms }: Candidate): number[] {
  return [...pathTerms.keys()].filter((term) => placeOf(statistics.words.terms, term) < 0);
}
