import { oneLine } from "./markdown.js";
import { type AliasNames, foldedText } from "./same-text.js";
import type { Criterion } from "./types.js";

/** What a requirement touches. */
export interface Footprint {
  id: string;
  criteria: Criterion[];
  /** Ids of rules that it speaks of. */
  rules: string[];
  symbols: string[];
  files: string[];
}

/** One thing that two requirements touch. */
export interface Overlap {
  kind: "criterion" | "case" | "rule" | "symbol" | "file";
  /** Where it stands in the first and in the second: `AC-1`; empty for what is no criterion. */
  a: string;
  b: string;
  what: string;
}

/** What nearly every change touches says nothing about what it is about. */
const COMMON = /(?:^|\/)(?:package(?:-lock)?\.json|[^/]*\.lock|pnpm-lock\.yaml|readme[^/]*|changelog[^/]*)$/i;
const REFERENCE = /\b(REQ-(?:\d{8}-[0-9A-Z]{6}|\d+))[\s/#:·]*(AC-\d+)\b/g;
const CASE =
  /^\s*(?:WHEN|QUAND)\s+([\s\S]+?)[,，]?\s+(?:THEN|ALORS)\s+([\s\S]+)$|^\s*当\s*([\s\S]+?)(?:时|的时候)?[,，]?\s*(?:那么|则|应当?|必须|不得)\s*([\s\S]+)$/i;

/**
 * What two requirements both touch: a criterion with the same text or named by its id, the same case with another outcome, the same
 * rule, symbol or file.
 */
export function overlapOf(a: Footprint, b: Footprint, groups: AliasNames = []): Overlap[] {
  const shared = (key: "rules" | "symbols" | "files", kind: Overlap["kind"]) =>
    [...new Set(a[key])]
      .filter((what) => b[key].includes(what) && !(kind === "file" && COMMON.test(what)))
      .map((what): Overlap => ({ kind, a: "", b: "", what }));
  return [
    ...criteriaIn(a, b, groups),
    ...namedIn(a, b),
    ...namedIn(b, a).map((overlap) => ({ ...overlap, a: overlap.b, b: overlap.a })),
    ...bothName(a, b),
    ...shared("rules", "rule"),
    ...shared("symbols", "symbol"),
    ...shared("files", "file"),
  ];
}

/** Criteria of an earlier requirement that a later one may make wrong: it names them, or says something else for the same case. */
export function contradictedBy(later: Footprint, earlier: Footprint, groups: AliasNames = []): Criterion[] {
  const named = namedIn(later, earlier).map(({ b }) => b);
  const cases = criteriaIn(later, earlier, groups).flatMap(({ kind, b }) => (kind === "case" ? [b] : []));
  return earlier.criteria.filter(({ id }) => named.includes(id) || cases.includes(id));
}

/** Reads what a requirement touches from its documents. */
export function footprintOf(
  id: string,
  documents: { criteria: Criterion[]; requirement: string; design: string; files: readonly string[] },
): Footprint {
  const { criteria, requirement, design, files } = documents;
  const text = `${requirement}\n${design}`;
  const symbols = [...text.matchAll(/`(?:[^`\s]*#)?([\p{L}_$][\p{L}\p{N}_$.]*)(\(\))?`/gu)];
  return {
    id,
    criteria,
    rules: [...new Set(text.match(/\bR-[0-9A-HJKMNP-TV-Z]{6}\b/g))],
    symbols: [
      ...new Set(symbols.flatMap(([whole, name = "", call]) => (call || whole.includes("#") ? [name] : []))),
    ],
    files: [...new Set(files)],
  };
}

function criteriaIn(a: Footprint, b: Footprint, groups: AliasNames): Overlap[] {
  return a.criteria.flatMap((mine) =>
    b.criteria.flatMap((other): Overlap[] => {
      const what = oneLine(other.text);
      const place = { a: mine.id, b: other.id, what };
      if (foldedText(mine.text, groups) === foldedText(other.text, groups))
        return [{ kind: "criterion", ...place }];
      const [one, two] = [caseOf(mine.text, groups), caseOf(other.text, groups)];
      return one !== null && one === two ? [{ kind: "case", ...place }] : [];
    }),
  );
}

function caseOf(text: string, groups: AliasNames): string | null {
  const found = CASE.exec(text);
  return found ? foldedText(found[1] ?? found[3] ?? "", groups) : null;
}

/** Criteria of the one that the other names: `REQ-3/AC-2`. */
function namedIn(a: Footprint, b: Footprint): Overlap[] {
  return a.criteria.flatMap((mine) =>
    referencesIn(mine.text).flatMap((name): Overlap[] => {
      const other = b.criteria.find(({ id }) => name === `${b.id}/${id}`);
      return other ? [{ kind: "criterion", a: mine.id, b: other.id, what: oneLine(other.text) }] : [];
    }),
  );
}

/** Criteria of a third requirement that both name. */
function bothName(a: Footprint, b: Footprint): Overlap[] {
  const names = ({ criteria }: Footprint) => [...new Set(criteria.flatMap(({ text }) => referencesIn(text)))];
  const isOther = (name: string) => !name.startsWith(`${a.id}/`) && !name.startsWith(`${b.id}/`);
  return names(a)
    .filter((name) => isOther(name) && names(b).includes(name))
    .map((what) => ({ kind: "criterion", a: "", b: "", what }));
}

function referencesIn(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map(
    ([, requirement = "", criterion = ""]) => `${requirement}/${criterion}`,
  );
}
