import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type Index,
  type IndexDependencies,
  type RefreshableIndex,
  type TreeSource,
  createCheckoutTree,
  createIndex,
  openMapDatabase,
} from "../../src/codemap/index.js";
import { type Git, createGit } from "../../src/git/index.js";

/** A real repository on disk with the database of its map, and everything that was opened on it. */
export interface MappedCheckout {
  folder: string;
  database: string;
  git: Git;
  run(args: readonly string[], folder?: string): Promise<string>;
  write(files: Record<string, string | Buffer>, folder?: string): void;
  commit(message: string): Promise<void>;
  /** An index on this checkout (or another folder), and which files it read. */
  open(options?: { folder?: string; database?: string; worker?: URL; now?: () => number }): Promise<{
    index: RefreshableIndex;
    read: string[];
    listings: () => number;
  }>;
  close(): Promise<void>;
}

const IDENTITY = { name: "Test", email: "test@example.invalid", at: 1_700_000_000_000 };
/** Never aborted: workers share this file. */
export const signal: AbortSignal = new AbortController().signal;

export async function mappedCheckout(init: readonly string[] = []): Promise<MappedCheckout> {
  const root = mkdtempSync(join(tmpdir(), "accrue-map-"));
  const folder = join(root, "repository");
  mkdirSync(folder);
  const git = createGit({ home: join(root, "home"), path: process.env["PATH"] ?? "" });
  const ending: (() => unknown)[] = [];
  const run = (args: readonly string[], where = folder) =>
    git.run(args, { folder: where, signal, identity: IDENTITY });
  await run(["init", "-q", ...init]);
  return {
    folder,
    database: join(root, "codemap.db"),
    git,
    run,
    write: (files, where = folder) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(where, path)), { recursive: true });
        writeFileSync(join(where, path), text);
      }
    },
    commit: async (message) => {
      await run(["add", "-A"]);
      await run(["commit", "-q", "--allow-empty", "-m", message]);
    },
    open: async ({ folder: where = folder, database = join(root, "codemap.db"), ...rest } = {}) => {
      const db = openMapDatabase(database, () => {});
      const inner = createCheckoutTree(git, where);
      const read: string[] = [];
      let listings = 0;
      const tree: TreeSource = {
        list: (stop) => {
          listings++;
          return inner.list(stop);
        },
        read: (path) => {
          read.push(path);
          return inner.read(path);
        },
      };
      const needs: IndexDependencies = { db, tree, now: () => 1_700_000_000_000, ...rest };
      const index = await createIndex(needs);
      ending.push(async () => {
        await index.close();
        db.close();
      });
      return { index, read, listings: () => listings };
    },
    close: async () => {
      for (const end of ending) await end();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** All that an index says, by natural keys only. */
export function everything(index: Index, names: readonly string[]): unknown {
  return {
    paths: index.paths(),
    files: index.files(),
    facts: index.files().map(({ path }) => index.facts(path)),
    defining: names.map((name) => [name, index.defining(name)]),
    using: names.map((name) => [name, index.using(name)]),
    names: index.names("", 100_000),
  };
}

/** All names that a map's files define or use. */
export function namesOf(index: Index): string[] {
  const facts = index.files().flatMap(({ path }) => index.facts(path) ?? []);
  const all = facts.flatMap(({ symbols, references }) => [...symbols, ...references].map(({ name }) => name));
  return [...new Set(all)].sort();
}
