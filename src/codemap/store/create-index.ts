import type { Database } from "../../db/index.js";
import { languageOfFile } from "../languages.js";
import type { TreeEntry } from "../../git/index.js";
import type { Index, Refreshed, TreeSource } from "../map-types.js";
import { pathToSkip } from "../reason-to-skip.js";
import type { FileFacts } from "../types.js";
import { decodeFacts } from "./encode-facts.js";
import { EXTRACT_WORKER, createExtractPool } from "./extract-pool.js";
import { extractorVersion } from "./extractor-version.js";
import { type FactStore, createFactStore } from "./fact-store.js";
import { createLru } from "./lru.js";
import { type UnreadFile, readContents } from "./read-contents.js";
import { isSettingsPath } from "./settings-paths.js";
import { type FileState, SETTINGS, type TreeState, byText, createTreeState } from "./tree-state.js";

/** So many files' facts stay decoded. */
const MAX_DECODED = 1000;

/** What an index works with. */
export interface IndexDependencies {
  /** As `openMapDatabase` opens it; many indexes may share one. */
  db: Database;
  tree: TreeSource;
  /** Milliseconds since 1970. */
  now(): number;
  /** The compiled worker, unless another one takes its place. */
  worker?: URL;
}

/** An index that can be brought up to date. */
export interface RefreshableIndex extends Index {
  /**
   * Lists the tree and reads what was never seen; with `paths`, looks at these files only, without git.
   * Contract: answers stay those of the last refresh until this one is done; refreshes run one after the other.
   */
  refresh(what: { paths?: readonly string[] }, signal: AbortSignal): Promise<Refreshed>;
  /** Ends its threads; the database stays open. */
  close(): Promise<void>;
}

/** Opens the map of one tree. It is empty until the first refresh. */
export async function createIndex(needs: IndexDependencies): Promise<RefreshableIndex> {
  const store = createFactStore(needs.db, await extractorVersion(), needs.now);
  const pool = createExtractPool(needs.worker ?? EXTRACT_WORKER);
  const tree = createTreeState();
  const refresher = createRefresher(tree, store, { ...needs, pool });
  return {
    ...answers(tree, store),
    refresh: refresher,
    close: () => pool.close(),
  };
}

function answers(tree: TreeState, store: FactStore): Index {
  const decoded = createLru<number, FileFacts>(MAX_DECODED);
  const pathsOf = (contents: readonly number[]) =>
    contents.flatMap((content) => [...tree.pathsOf(content)]).sort(byText);
  return {
    files: tree.files,
    file: tree.file,
    paths: tree.paths,
    facts: (path) => {
      const content = tree.file(path) && tree.get(path)?.content;
      if (!content) return null;
      const present = decoded.get(content.id);
      if (present) return present;
      const encoded = store.encoded(content.id);
      if (encoded === null) return null;
      const facts = decodeFacts(encoded);
      decoded.set(content.id, facts);
      return facts;
    },
    defining: (name) => pathsOf(store.defining(name)),
    using: (name) => pathsOf(store.using(name)),
    names: (text, limit) => {
      const found: string[] = [];
      for (const { name, blobs } of store.names(text)) {
        if (found.length >= limit) break;
        if (blobs().some(tree.isMapped)) found.push(name);
      }
      return found;
    },
    settingsFile: (path) => {
      const content = tree.get(path)?.content;
      return content?.readAs === SETTINGS ? store.encoded(content.id) : null;
    },
  };
}

type Refresh = RefreshableIndex["refresh"];

function createRefresher(
  tree: TreeState,
  store: FactStore,
  needs: IndexDependencies & { pool: ReturnType<typeof createExtractPool> },
): Refresh {
  let last: Promise<unknown> = Promise.resolve();
  let prunings = store.prunings();
  let algorithm = "sha1";
  let isListed = false;

  async function refresh(paths: readonly string[] | null, signal: AbortSignal): Promise<Refreshed> {
    const started = needs.now();
    const isWhole = paths === null || !isListed || prunings !== store.prunings();
    const entries = isWhole ? await needs.tree.list(signal) : namedEntries(paths, tree);
    if (entries.some(({ blob }) => blob?.length === 64)) algorithm = "sha256";
    const current = store.prunings();
    const { states, unread } = compare(entries, tree, {
      store,
      trustsIds: current === prunings,
      isNamed: !isWhole,
    });
    const reading = { store, pool: needs.pool, read: needs.tree.read, algorithm };
    const read = await readContents(unread, reading, signal);
    for (const [path, state] of read.states) states.set(path, state);
    if (isWhole) {
      const listed = new Set(entries.map(({ path }) => path));
      for (const [path] of tree.entries()) if (!listed.has(path)) states.set(path, null);
    }
    const changed = apply(states, tree);
    if (isWhole) keepAlive(tree, store, isListed);
    // Ids that this refresh asked for before somebody removed rows are asked for again by the next one.
    prunings = isWhole ? current : prunings;
    isListed = true;
    const totals = tree.totals();
    return {
      ...totals,
      partial: tree.partial(),
      skipped: tree.skipped(),
      reused: totals.files - Math.min(totals.files, read.extracted),
      read: unread.length,
      changed,
      ms: needs.now() - started,
    };
  }

  return ({ paths }, signal) => {
    const next = last.then(() => {
      signal.throwIfAborted();
      return refresh(paths ?? null, signal);
    });
    last = next.catch(() => {});
    return next;
  };
}

/** Sorts entries into those whose state is known and those to be read. */
function compare(
  entries: readonly TreeEntry[],
  tree: TreeState,
  { store, trustsIds, isNamed }: { store: FactStore; trustsIds: boolean; isNamed: boolean },
): { states: Map<string, FileState | null>; unread: UnreadFile[] } {
  const states = new Map<string, FileState | null>();
  const unread: UnreadFile[] = [];
  for (const { path, blob } of entries) {
    const before = tree.get(path);
    if (blob !== null && before?.blob === blob && (trustsIds || before.content === null)) continue;
    const language = languageOfFile(path);
    const skipped = language && pathToSkip(path);
    const isSettings = !language && isSettingsPath(path);
    const isMapped = skipped === null && (language !== null || isSettings);
    if (!isMapped && !isNamed) {
      // The blob says nothing of a file that is not read; a change of it is still one.
      states.set(path, { blob: blob ?? "", content: null, skipped });
      continue;
    }
    const content = blob === null ? null : store.find({ blob, language: language?.name ?? SETTINGS });
    if (blob !== null && content !== null) states.set(path, { blob, content, skipped: null });
    else unread.push({ path, blob, language, isMapped, skipped });
  }
  return { states, unread };
}

/** Puts states into the tree and gives the paths that are not what they were, sorted. */
function apply(states: ReadonlyMap<string, FileState | null>, tree: TreeState): string[] {
  const changed: string[] = [];
  for (const [path, state] of states) {
    const before = tree.get(path);
    if (state === null && before === undefined) continue;
    const isSame = before !== undefined && state !== null && before.blob === state.blob && state.blob !== "";
    if (!isSame) changed.push(path);
    tree.set(path, state);
  }
  return changed.sort(byText);
}

/** Entries for files that somebody says were written; what lay under a folder that became a file is gone. */
function namedEntries(paths: readonly string[], tree: TreeState): TreeEntry[] {
  const named = new Set<string>();
  for (const path of paths) {
    const isInside = !/^\/|^\.git(?:\/|$)|(?:^|\/)\.\.?(?:\/|$)|^$/.test(path);
    if (!isInside) continue;
    named.add(path);
    if (tree.get(path)) continue;
    for (const known of tree.paths()) if (known.startsWith(`${path}/`)) named.add(known);
  }
  return [...named].map((path) => ({ path, blob: null }));
}

/** Rows in use are kept from being removed; the first refresh of a handle removes what nobody used for long. */
function keepAlive(tree: TreeState, store: FactStore, isLater: boolean): void {
  const contents = [...tree.entries()].flatMap(([, { content }]) => (content ? [content] : []));
  store.mark(contents);
  if (!isLater) store.prune();
}
