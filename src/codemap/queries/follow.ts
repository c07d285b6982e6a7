import type { FilePast } from "../../git/index.js";
import { foldersOf } from "../../shared/index.js";
import type { Index, MappedSymbol } from "../map-types.js";
import { definedIn, definedOnce, definitionsNamed, lastPart, readName } from "./locate.js";
import { symbolsOf } from "./symbols.js";
import type { Followed, Names } from "./types.js";

/** What following asks: the tree as last refreshed, its texts, and how its files were called before. */
export interface FollowDeps {
  index: Index;
  read(path: string): Promise<Buffer | null>;
  past: FilePast | null;
}

/** So many names that the tree has no more are looked for in the history of their file. */
const MAX_SEARCHED = 20;
/** A shorter definition is not told from another by what it says. */
const LEAST_BODY = 40;

/**
 * Finds where files and definitions are now: files that git saw renamed, definitions that stand in another file under the same
 * name, and those that were renamed in their file with nothing else in them changed.
 */
export async function follow({ index, read, past }: FollowDeps, names: Names): Promise<Followed> {
  const files = await followFiles(index, past, names);
  const symbols = new Map<string, string>();
  const lost: { key: string; path: string; name: string }[] = [];
  for (const key of new Set(names.symbols)) {
    const { path: before, name } = readName(key);
    const path = before === null ? null : (files.get(before) ?? null);
    const found = (path === null ? null : definedIn(index, path, name)) ?? definedOnce(index, name);
    if (found !== null) symbols.set(key, found.key);
    else if (path !== null && definitionsNamed(index, name).length === 0) lost.push({ key, path, name });
  }
  for (const { key, path, name } of past === null ? [] : lost.slice(0, MAX_SEARCHED)) {
    const word = lastPart(name);
    const first = readName(key).path ?? path;
    const text = (await past?.before(path, word)) ?? (await past?.before(first, word));
    const found = text ? await renamedFrom({ index, read }, { path, name: word, text }) : null;
    if (found !== null) symbols.set(key, found.key);
  }
  return { files, symbols };
}

/** Also the files of `path#name`. A folder or a file that is there is where it was. */
async function followFiles(index: Index, past: FilePast | null, names: Names): Promise<Map<string, string>> {
  const wanted = new Set([...names.files, ...names.symbols.flatMap((key) => readName(key).path ?? [])]);
  const there = new Set(index.paths());
  const folders = new Set([...there].flatMap(foldersOf));
  const known = [...wanted].filter((path) => there.has(path)).map((path): [string, string] => [path, path]);
  const gone = [...wanted].filter((path) => !there.has(path) && !folders.has(path.replace(/\/$/, "")));
  const renamed = gone.length === 0 || past === null ? [] : [...(await past.renames(gone))];
  return new Map([...known, ...renamed.filter(([, now]) => there.has(now))]);
}

/** The one definition of a file that an earlier text of it has word for word, but under another name. */
async function renamedFrom(
  { index, read }: Pick<FollowDeps, "index" | "read">,
  { path, name, text }: { path: string; name: string; text: string },
): Promise<MappedSymbol | null> {
  const before = `\n${linesOf(text).join("\n")}\n`;
  const lines = linesOf((await read(path))?.toString("utf8") ?? "");
  const found = symbolsOf(index, path).filter((symbol) => {
    const now = lines.slice(symbol.from - 1, symbol.to).join("\n");
    const then = now.replaceAll(new RegExp(`(?<![\\w$])${escaped(symbol.name)}(?![\\w$])`, "g"), () => name);
    const isNew = symbol.name !== name && !before.includes(`\n${now}\n`);
    return isNew && then.length >= LEAST_BODY && before.includes(`\n${then}\n`);
  });
  const [first = null, second] = found;
  return second === undefined ? first : null;
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

function escaped(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
