import type { Index, MappedSymbol } from "../map-types.js";
import { mapped, symbolsOf } from "./symbols.js";

/** A name of a definition as texts write it, in parts. */
export interface Named {
  /** Null where only a name was written. */
  path: string | null;
  /** `Outer.name`, with `~2` where a key has it. */
  name: string;
}

/** Reads `path#Outer.name`, `Outer::name` or `name()`. */
export function readName(key: string): Named {
  const hash = key.indexOf("#");
  const name = key
    .slice(hash + 1)
    .replaceAll("::", ".")
    .replace(/\(\)$/, "");
  return { path: hash > 0 ? key.slice(0, hash).replace(/^(?:\.\/)+/, "") : null, name };
}

/** The definition of a file that a name stands for there; null when none does, or several. */
export function definedIn(index: Index, path: string, name: string): MappedSymbol | null {
  const symbols = symbolsOf(index, path);
  const exact = symbols.find(({ key }) => key === `${path}#${name}`);
  return exact ?? only(symbols.filter((symbol) => symbol.name === name));
}

/** The only definition of the tree that has a name, tests aside; null when there is none, or several. */
export function definedOnce(index: Index, name: string): MappedSymbol | null {
  return only(definitionsNamed(index, name).filter(({ isTest }) => !isTest));
}

/** All definitions that a name may stand for. */
export function definitionsNamed(index: Index, name: string): MappedSymbol[] {
  const wanted = name.replace(/~\d+$/, "");
  return index.defining(lastPart(wanted)).flatMap((path) =>
    (index.facts(path)?.symbols ?? []).flatMap(({ qualified }, symbol) => {
      const fits = qualified === wanted || qualified.endsWith(`.${wanted}`);
      return fits ? (mapped(index, { path, symbol }) ?? []) : [];
    }),
  );
}

/** `save` of `Store.save~2`. */
export function lastPart(name: string): string {
  return name.replace(/~\d+$/, "").split(".").at(-1) ?? name;
}

function only<Item>(items: readonly Item[]): Item | null {
  const [first = null, second] = items;
  return second === undefined ? first : null;
}
