import { AccrueError, closest } from "../../shared/index.js";
import type { Index } from "../map-types.js";
import { type Place, keyOf } from "./symbols.js";

const MAX_NAMED = 8;
const MAX_NAMES = 20_000;

/** Finds what a key stands for; also `path#name` and a bare name, where only one definition fits. */
export function resolveSymbol(index: Index, key: string): Place {
  const split = splitKey(index, key);
  if (split) return inFile(index, split.path, split.name);
  const hash = key.indexOf("#");
  if (hash > 0) throw noFile(index, key.slice(0, hash));
  return bareName(index, key);
}

/** The file that a path names. Throws `INPUT_INVALID` with the nearest one. */
export function resolveFile(index: Index, path: string): string {
  const clean = cleanPath(path);
  if (index.file(clean)) return clean;
  throw noFile(index, clean);
}

/** A path as the tree writes it: without `./` before and `/` behind. */
export function cleanPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "") || ".";
}

/** `#` may stand in a path and in a name: the first one with a file before it parts them. */
function splitKey(index: Index, key: string): { path: string; name: string } | null {
  for (let hash = key.indexOf("#"); hash > 0; hash = key.indexOf("#", hash + 1)) {
    const path = cleanPath(key.slice(0, hash));
    if (index.file(path)) return { path, name: key.slice(hash + 1) };
  }
  return null;
}

function inFile(index: Index, path: string, name: string): Place {
  const symbols = index.facts(path)?.symbols ?? [];
  const exact = symbols.findIndex((fact) => keyOf(path, fact) === `${path}#${name}`);
  if (exact >= 0) return { path, symbol: exact };
  const ends = symbols.flatMap((fact, symbol) => (fact.name === name ? [{ path, symbol }] : []));
  return only(index, ends, name, () => {
    const near = closest(name, [...new Set(symbols.flatMap((fact) => [fact.qualified, fact.name]))]);
    const there =
      near === null ? listed(symbols.map(({ qualified }) => qualified)) : `Did you mean ${path}#${near}?`;
    return `${path} defines no ${name}. ${there}`;
  });
}

function bareName(index: Index, name: string): Place {
  const last = name.split(/\.|::/).at(-1) ?? name;
  const wanted = name.replaceAll("::", ".");
  const found = index
    .defining(last)
    .flatMap((path) =>
      (index.facts(path)?.symbols ?? []).flatMap(({ qualified }, symbol) =>
        qualified === wanted || qualified.endsWith(`.${wanted}`) ? [{ path, symbol }] : [],
      ),
    );
  if (found.length === 0 && index.paths().includes(cleanPath(name))) throw noFile(index, cleanPath(name));
  return only(index, found, name, () => {
    const near = closest(last, index.names("", MAX_NAMES));
    return `No definition is called ${name}. ${near === null ? "Look for it with `map find`." : `Did you mean ${near}?`}`;
  });
}

function only(index: Index, found: readonly Place[], name: string, missing: () => string): Place {
  const [first, second] = found;
  if (first && !second) return first;
  if (!first) throw new AccrueError("INPUT_INVALID", missing());
  const keys = found.flatMap(({ path, symbol }) => {
    const fact = index.facts(path)?.symbols[symbol];
    return fact ? [keyOf(path, fact)] : [];
  });
  throw new AccrueError(
    "INPUT_INVALID",
    `${name} stands for ${found.length} definitions. Name one: ${keyList(keys)}.`,
  );
}

function keyList(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "It defines nothing." : `It defines ${keyList(names)}.`;
}

function noFile(index: Index, path: string): AccrueError {
  if (index.paths().includes(path)) {
    const why = "its language is not known, or it is vendored, generated or too large";
    return new AccrueError("INPUT_INVALID", `${path} is not in the code map: ${why}. Read it as text.`);
  }
  const name = path.slice(path.lastIndexOf("/") + 1);
  const same = index.files().find((file) => file.path.endsWith(`/${name}`) || file.path === name);
  const near =
    same?.path ??
    closest(
      path,
      index.files().map((file) => file.path),
    );
  const hint =
    near === null || near === undefined ? "Paths are relative to the repository." : `Did you mean ${near}?`;
  return new AccrueError("INPUT_INVALID", `There is no file ${path}. ${hint}`);
}
