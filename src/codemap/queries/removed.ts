import { languageOfFile } from "../languages.js";
import type { Index } from "../map-types.js";
import type { ChangedFile } from "./diff-lines.js";
import { type Place, keyOf } from "./symbols.js";
import type { Removed } from "./types.js";
import type { Bound } from "./uses.js";

const MODIFIERS =
  "(?:(?:export|default|public|private|protected|internal|static|abstract|final|async|override|open|sealed|unsafe|pub(?:\\([^)]*\\))?)\\s+)*";
const DEFINITION = new RegExp(
  `^\\s*${MODIFIERS}(?:class|interface|enum|struct|trait|type|function\\*?|def|fn|func(?:\\s+\\([^)]*\\))?|fun|const|let|var|val|module|namespace|object|protocol|record|#define)\\s+(?:self\\.)?([\\p{L}_$][\\p{L}\\p{N}_$]*)`,
  "u",
);
/** `Type name(…) {`, or `name(…) {` of a method. */
const CALLABLE =
  /^\s*(?:[\p{L}_$][\p{L}\p{N}_$<>[\],.*&: ]*[\s*&])?([\p{L}_$][\p{L}\p{N}_$]*)\s*\([^;]*\)[^;=]*\{?\s*$/u;
const STATEMENT =
  /^\s*(?:if|for|while|switch|catch|return|else|do|new|throw|await|yield|elif|unless|until|case|print|assert)\b/;
const MAX_NAMES = 200;

/** What a diff takes out of a file and is not there any more, with whoever still names it and finds nothing. */
export function removedOf(bound: Bound, files: readonly ChangedFile[]): (Removed & { places: Place[] })[] {
  const names = files.flatMap(({ path, oldPath, taken }) => {
    const language = languageOfFile(path)?.modules;
    const left = new Set(bound.index.facts(path)?.symbols.map(({ name }) => name));
    const gone = new Set(taken.flatMap((line) => definedIn(line) ?? []));
    return language === undefined
      ? []
      : [...gone]
          .filter((name) => !left.has(name))
          .map((name) => ({ path: oldPath ?? path, name, language }));
  });
  return names.slice(0, MAX_NAMES).map(({ path, name, language }) => {
    const users = bound.index
      .using(name)
      .filter((at) => languageOfFile(at)?.modules === language)
      .flatMap((at) => unboundUses(bound, { at, name, path }));
    const found = users.map(({ place, ...use }) => ({ ...use, within: withinOf(bound.index, place) }));
    const places = users.flatMap(({ place }) => (place.symbol >= 0 ? [place] : []));
    return { name, path, users: found, places };
  });
}

function definedIn(line: string): string | null {
  const said = DEFINITION.exec(line)?.[1];
  if (said !== undefined) return said;
  return STATEMENT.test(line) ? null : (CALLABLE.exec(line)?.[1] ?? null);
}

/** Uses of a name that lead nowhere; a member's only where the file imports the one that had it. */
function unboundUses(
  { index, binder }: Bound,
  { at, name, path }: { at: string; name: string; path: string },
): { path: string; line: number; place: Place }[] {
  const isNear = at === path || binder.imports(at).includes(path);
  const references = index.facts(at)?.references ?? [];
  return references.flatMap((fact, reference) => {
    const isMeant = fact.name === name && (fact.receiver === null || fact.kind === "import" || isNear);
    if (!isMeant || fact.target >= 0) return [];
    const isBound = binder.targets(at, reference).some(({ confidence }) => confidence !== "guess");
    return isBound ? [] : [{ path: at, line: fact.line, place: { path: at, symbol: fact.within } }];
  });
}

function withinOf(index: Index, { path, symbol }: Place): string | null {
  const fact = index.facts(path)?.symbols[symbol];
  return fact ? keyOf(path, fact) : null;
}
