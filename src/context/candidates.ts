import type { MappedFile } from "../codemap/index.js";
import type { Candidate } from "./corpus.js";
import type { BlobStatistics } from "./statistics.js";
import type { Terms } from "./words.js";

const ASIDE =
  /(?:^|\/)(?:examples?|samples?|docs?|website|playground|[\w-]+-playground|scripts?|templates?|acceptance)\/|(?:^|\/)(?:setup|noxfile|conf)\.py$|(?:^|\/)[\w.-]*config\.[cm]?[jt]s$/i;

/** Whether a file shows, describes or builds the product rather than being it. */
export function isAside(path: string): boolean {
  return ASIDE.test(path);
}

/** Pairs files with their statistics and with what their paths say, which is remembered. */
export function createCandidates(terms: Terms) {
  const paths = new Map<string, { pathTerms: ReadonlyMap<number, number>; isAside: boolean }>();
  return (files: readonly MappedFile[], statistics: ReadonlyMap<string, BlobStatistics>): Candidate[] =>
    files.flatMap(({ path, isTest }) => {
      const known = statistics.get(path);
      if (!known) return [];
      const said = paths.get(path) ?? { pathTerms: termsOfPath(path, terms), isAside: isAside(path) };
      paths.set(path, said);
      return [{ path, statistics: known, pathTerms: said.pathTerms, isApart: isTest || said.isAside }];
    });
}

/** Folders and name; the name counts twice. Hyphens join words as underscores do. */
function termsOfPath(path: string, terms: Terms): Map<number, number> {
  const counts = new Map<number, number>();
  const named = path.replace(/\.[^./]+$/, "");
  terms.count(named.replaceAll("-", "_"), counts);
  terms.count(named.slice(named.lastIndexOf("/") + 1).replace(/[-.]/g, "_"), counts);
  return counts;
}
