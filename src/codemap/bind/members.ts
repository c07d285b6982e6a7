import type { Definition } from "./meaning.js";
import { folderOf } from "./paths.js";
import type { View, Views } from "./views.js";

/** A member, and whether the type itself has it or something that it inherits from. */
export interface Member extends Definition {
  isOwn: boolean;
}

/** What a field is said to be, and where that is said. */
export interface FieldType {
  path: string;
  type: string;
}

/** Looks up what types have, with what they inherit. */
export interface Members {
  find(type: Definition, name: string): Member[];
  field(type: Definition, name: string): FieldType | null;
  bases(type: Definition): Definition[];
}

const MAX_DEPTH = 12;

/** Prepares the look-up; `bound` says what a reference in a file is bound to. */
export function createMembers(
  views: Views,
  bound: (path: string, reference: number) => readonly Definition[],
): Members {
  const bases = ({ path, symbol }: Definition): Definition[] => {
    const view = views.of(path);
    if (!view) return [];
    return partsOf(view, symbol)
      .flatMap((part) => view.bases(part))
      .flatMap((reference) => [...bound(path, reference)])
      .filter((base) => base.path !== path || base.symbol !== symbol);
  };
  const climb = <T>(
    type: Definition,
    look: (type: Definition) => T | null,
  ): { found: T; isOwn: boolean } | null => {
    const seen = new Set<string>();
    let level = [type];
    for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
      const fresh = level.filter(({ path, symbol }) => !seen.has(`${path}\0${symbol}`));
      for (const each of fresh) {
        seen.add(`${each.path}\0${each.symbol}`);
        const found = look(each);
        if (found !== null) return { found, isOwn: depth === 0 };
      }
      level = fresh.flatMap(bases);
    }
    return null;
  };
  return {
    bases,
    find: (type, name) => {
      const hit = climb(type, (each) => {
        const own = ownMembers(views, each, name);
        return own.length > 0 ? own : null;
      });
      return hit ? hit.found.map((member) => ({ ...member, isOwn: hit.isOwn })) : [];
    },
    field: (type, name) =>
      climb(type, ({ path, symbol }) => {
        const view = views.of(path);
        const parts = view ? partsOf(view, symbol) : [];
        const field = view?.facts.fields.find((each) => each.name === name && parts.includes(each.owner));
        return field ? { path, type: field.type } : null;
      })?.found ?? null,
  };
}

/** The declarations that make one type together in a file: an interface said twice, a class and its namespace. */
function partsOf(view: View, symbol: number): readonly number[] {
  const fact = view.symbol(symbol);
  return fact ? view.qualified(fact.qualified) : [];
}

function ownMembers(views: Views, { path, symbol }: Definition, name: string): Definition[] {
  const view = views.of(path);
  const fact = view?.symbol(symbol);
  if (!view || !fact) return [];
  const inside = partsOf(view, symbol).flatMap((part) => [...view.children(part, name)]);
  const detached = view.qualified(`${fact.qualified}.${name}`);
  const here = [...new Set([...inside, ...detached])].map((each) => ({ path, symbol: each }));
  return here.length > 0 ? here : elsewhere(views, view, `${fact.qualified}.${name}`);
}

/** Members that are defined apart from their type, in other files: Go, Rust, C++, Swift, Ruby, partial classes of C#. */
function elsewhere(views: Views, view: View, qualified: string): Definition[] {
  const { modules } = view.language;
  if (modules === "javascript" || modules === "python" || modules === "package") return [];
  const name = qualified.slice(qualified.lastIndexOf(".") + 1);
  return views.index.defining(name).flatMap((path) => {
    if (path === view.path || (modules === "go" && folderOf(path) !== folderOf(view.path))) return [];
    const other = views.of(path);
    if (other?.language.modules !== modules) return [];
    return other.qualified(qualified).map((symbol) => ({ path, symbol }));
  });
}
