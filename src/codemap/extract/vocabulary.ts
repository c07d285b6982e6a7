import type { SymbolKind } from "../types.js";
import { PLACES } from "./raw.js";

const USES = new Map<string, number>([
  ["member", PLACES.member],
  ["use", PLACES.use],
  ["type.use", PLACES.type],
  ["use.plain", PLACES.plain],
  ["call", PLACES.call],
  ["new", PLACES.new],
  ["implement", PLACES.implement],
  ["inherit", PLACES.inherit],
  ["label", PLACES.none],
]);

/** Captures that say something of their match, by where the match keeps them. */
export const ROLES = {
  receiver: 0,
  name: 1,
  body: 2,
  owner: 3,
  type: 4,
  "type.call": 5,
  doc: 6,
  exported: 7,
  hidden: 8,
  scope: 9,
  "scope.members": 10,
  "scope.function": 11,
  local: 12,
  "local.function": 13,
  outer: 14,
  field: 15,
  package: 16,
  import: 17,
  reexport: 18,
  include: 19,
  "import.source": 20,
  "import.name": 21,
  "import.alias": 22,
  "import.default": 23,
  "import.all": 24,
  "import.path": 25,
  "export.local": 26,
  "export.name": 27,
  "export.default": 28,
} as const;
/** Of a capture that says nothing of its match. */
export const NO_ROLE = -1;

/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[keyof typeof ROLES];

/** What a capture's name says. */
interface Word {
  /** Of a name in use; 0 for all others. */
  place: number;
  /** Of a definition; null for all others. */
  kind: SymbolKind | "value" | null;
  isOuter: boolean;
  role: Role | typeof NO_ROLE;
}

/** What each capture of a query means, by its number. */
export type Vocabulary = readonly Word[];

/** Says what the captures of a query mean. The vocabulary is in docs/adding-a-language.md. */
export function readVocabulary(captureNames: readonly string[]): Vocabulary {
  const roles = new Map<string, Role>(Object.entries(ROLES));
  return captureNames.map((name) => {
    const [, lead, kind] = /^(symbol|outer)\.(.+)$/.exec(name) ?? [];
    return {
      place: USES.get(name) ?? 0,
      kind: kind === undefined ? null : (kind as SymbolKind | "value"),
      isOuter: lead === "outer",
      role: roles.get(name) ?? NO_ROLE,
    };
  });
}
