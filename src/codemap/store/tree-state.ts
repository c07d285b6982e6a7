import type { MappedFile } from "../map-types.js";
import { isTestPath } from "../is-test.js";
import type { KnownContent } from "./fact-store.js";

/** Text files that say how names are found are kept whole under this language. */
export const SETTINGS = "settings";

/** One path of the tree as last seen. */
export interface FileState {
  blob: string;
  /** What is known of it; null when it is in no language that the map reads, or skipped. */
  content: KnownContent | null;
  skipped: string | null;
}

/** The tree in memory: one handle's own, while the facts are shared. */
export interface TreeState {
  get(path: string): FileState | undefined;
  set(path: string, state: FileState | null): void;
  entries(): Iterable<[string, FileState]>;
  file(path: string): MappedFile | null;
  /** Sorted. */
  files(): readonly MappedFile[];
  paths(): readonly string[];
  pathsOf(content: number): Iterable<string>;
  isMapped(content: number): boolean;
  totals(): { files: number; symbols: number; references: number };
  partial(): { path: string; reason: string }[];
  skipped(): { path: string; reason: string }[];
}

/** Compares as strings are sorted everywhere in the map: by code unit. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Makes an empty tree. */
export function createTreeState(): TreeState {
  const states = new Map<string, FileState>();
  const mapped = new Map<string, MappedFile>();
  const pathsOf = new Map<number, Set<string>>();
  const partial = new Map<string, string>();
  const skipped = new Map<string, string>();
  const totals = { symbols: 0, references: 0 };
  let files: MappedFile[] | null = null;
  let paths: string[] | null = null;

  function remove(path: string, { content }: FileState): void {
    states.delete(path);
    partial.delete(path);
    skipped.delete(path);
    if (content === null || !mapped.delete(path)) return;
    totals.symbols -= content.symbols;
    totals.references -= content.uses;
    const shared = pathsOf.get(content.id);
    shared?.delete(path);
    if (shared?.size === 0) pathsOf.delete(content.id);
  }

  function add(path: string, state: FileState): void {
    states.set(path, state);
    const { content } = state;
    const reason = state.skipped ?? content?.skipped ?? null;
    if (reason !== null) skipped.set(path, reason);
    if (content === null || reason !== null || content.readAs === SETTINGS) return;
    if (content.partial !== null) partial.set(path, content.partial);
    const { readAs: language, partial: why } = content;
    mapped.set(path, { path, blob: state.blob, language, isTest: isTestPath(path), partial: why });
    totals.symbols += content.symbols;
    totals.references += content.uses;
    const shared = pathsOf.get(content.id);
    if (shared) shared.add(path);
    else pathsOf.set(content.id, new Set([path]));
  }

  return {
    get: (path) => states.get(path),
    set: (path, state) => {
      const before = states.get(path);
      if (before) remove(path, before);
      if (state) add(path, state);
      files = null;
      if ((before === undefined) !== (state === null)) paths = null;
    },
    entries: () => states,
    file: (path) => mapped.get(path) ?? null,
    files: () => (files ??= [...mapped.values()].sort((a, b) => byText(a.path, b.path))),
    paths: () => (paths ??= [...states.keys()].sort(byText)),
    pathsOf: (content) => pathsOf.get(content) ?? [],
    isMapped: (content) => pathsOf.has(content),
    totals: () => ({ files: mapped.size, ...totals }),
    partial: () => listed(partial),
    skipped: () => listed(skipped),
  };
}

function listed(reasons: ReadonlyMap<string, string>): { path: string; reason: string }[] {
  return [...reasons].map(([path, reason]) => ({ path, reason })).sort((a, b) => byText(a.path, b.path));
}
