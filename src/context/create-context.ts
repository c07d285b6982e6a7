import type { Index } from "../codemap/index.js";
import type { Database } from "../db/index.js";
import type { HistoryCommit } from "../git/index.js";
import { createCandidates } from "./candidates.js";
import { createCorpus } from "./corpus.js";
import { closePack } from "./items.js";
import { PAST_WEIGHTS, type Past, createPast } from "./past.js";
import { readQuery } from "./query.js";
import { rankFiles } from "./rank.js";
import { createStatisticsStore, textOf } from "./statistics-store.js";
import { fillTiers } from "./tiers.js";
import type { CallerItem, Context, ContextBridge, PackRequest } from "./types.js";
import { createTerms } from "./words.js";

/** What packing needs of the outside. */
export interface ContextDeps {
  /** May be the code map's own file. */
  db: Database;
  index: Pick<Index, "files" | "file" | "facts">;
  /** Null when there is no such file. */
  read(path: string): Promise<Buffer | null>;
  /** Newest first, at most `limit`. Asked once: an agent's own commits say nothing about what to read. */
  history(limit: number): Promise<readonly HistoryCommit[]>;
  /** Who uses what will probably change; most certain first. */
  callers?(keys: readonly string[]): readonly CallerItem[];
  /** Without it a text in another language finds only what is written in that language. */
  bridge?: ContextBridge;
}

/** How much is packed when a request does not say. */
export type ContextOptions = Pick<PackRequest, "maxTokens" | "maxFileTokens">;

const MAX_TOKENS = 8000;
const MAX_FILE_TOKENS = 2000;

/** Opens the packing of one checkout; what it learns of a blob is kept in the database. */
export function createContext(deps: ContextDeps, options: ContextOptions = {}): Context {
  const terms = createTerms();
  const statistics = createStatisticsStore({ ...deps, terms });
  const candidates = createCandidates(terms);
  const corpus = createCorpus();
  let past: Promise<Past> | null = null;
  const remember = async () => createPast(await deps.history(PAST_WEIGHTS.commits), terms);

  return {
    pack: async (task, request = {}) => {
      past ??= remember();
      const history = await past;
      const files = deps.index.files();
      const known = await statistics.of(files);
      const query = readQuery(task, terms, {
        requirement: request.requirement ?? "",
        bridge: deps.bridge,
      });
      const named = new Set([
        ...(request.files ?? []),
        ...(request.symbols ?? []).map((key) => key.split("#", 1)[0] ?? ""),
      ]);
      corpus.update(candidates(files, known));
      const lines = new Map<string, Promise<readonly string[] | null>>();
      const readLines = async (path: string) => {
        const bytes = await deps.read(path);
        return bytes && textOf(bytes).split("\n");
      };
      const { items, warnings } = await fillTiers(
        request,
        {
          tokens: request.maxTokens ?? options.maxTokens ?? MAX_TOKENS,
          perFile: request.maxFileTokens ?? options.maxFileTokens ?? MAX_FILE_TOKENS,
        },
        {
          index: deps.index,
          ...rankFiles({ corpus, query, past: history.score(query), named }),
          callers: (keys) => deps.callers?.(keys) ?? [],
          lines: (path) => {
            const present = lines.get(path) ?? readLines(path);
            lines.set(path, present);
            return present;
          },
        },
      );
      return closePack(items, warnings);
    },
  };
}
