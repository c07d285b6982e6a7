/** One name that a written path brings in. */
export interface PathLeaf {
  /** What stands before the name in the path; the name itself where nothing does. */
  source: string;
  name: string;
  local: string;
}

const KEYWORDS =
  /^(?:(?:pub(?:\s*\([^)]*\))?|import|use|using|static|open|global|function|const|type|from)\s+)+/;
const RENAME = /^(.*?)\s*(?:\bas\b|=>)\s*([\p{L}\p{N}_$*]+)$/su;
const EVERYTHING = new Set(["*", "_", "given"]);
const MAX_DEPTH = 20;

/** Reads a path that ends in the names it brings in: `a.b.C`, `a.*`, `a::{b, c as d}`, `A\{B, C}`, `a.{B => C}`. */
export function pathLeaves(written: string): PathLeaf[] {
  const path = written.replace(/\s+/g, " ").trim().replace(/;$/, "").replace(KEYWORDS, "");
  return parts(path).flatMap((part) => leavesOf(part, "", 0));
}

function leavesOf(written: string, before: string, depth: number): PathLeaf[] {
  const path = written.trim();
  const open = path.indexOf("{");
  if (open >= 0 && depth < MAX_DEPTH) {
    const close = path.lastIndexOf("}");
    const inner = path.slice(open + 1, close < 0 ? undefined : close);
    return parts(inner).flatMap((part) => leavesOf(part, `${before}${path.slice(0, open)}`, depth + 1));
  }
  const [, target = path, alias = null] = RENAME.exec(path) ?? [];
  if (target === "" || alias === "_") return [];
  const whole = `${before}${target}`.replace(/\s+/g, "");
  const last = /(?:^|\.|::|\\)([^.:\\]*)$/.exec(whole)?.[1] ?? whole;
  const outer = whole.slice(0, whole.length - last.length).replace(/(?:\.|::|\\)$/, "");
  if (EVERYTHING.has(last)) return [{ source: outer, name: "*", local: "" }];
  if (last === "self") {
    const own = /([^.:\\]*)$/.exec(outer)?.[1] ?? outer;
    return [{ source: outer, name: own, local: alias ?? own }];
  }
  return [{ source: outer || whole, name: last, local: alias ?? last }];
}

/** Splits at the commas that stand in no inner braces. */
function parts(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const char = text[at];
    if (char === "{") depth++;
    else if (char === "}") depth--;
    else if (at === text.length || (char === "," && depth === 0)) {
      found.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return found.filter((part) => part.trim() !== "");
}
