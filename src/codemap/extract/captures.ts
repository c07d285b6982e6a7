import type { SymbolKind } from "../types.js";
import { CAPTURE_CELLS, END_CELL, START_CELL, type TakeMatch } from "./match-patterns.js";
import { MAX_TYPE, type Raw, mark } from "./raw.js";
import { evenBlanks } from "./source.js";
import { NO_ROLE, ROLES, type Role, type Vocabulary } from "./vocabulary.js";

/** The definition's node of a match. */
interface Found {
  kind: SymbolKind | "value";
  isOuter: boolean;
  cell: number;
}

/** The match that is being read, with the cells of its captures. */
interface Match {
  pattern: number;
  cells: Int32Array;
  symbol: Found | null;
  /** The cell of each role's capture; -1 where it has none. */
  named: Int32Array;
  has(role: Role): boolean;
  /** -1 when there is none. */
  start(role: Role): number;
  said(role: Role): string | null;
}

/** What one file may hold of each; a file of more is a table, or an attack. */
const MAX_SYMBOLS = 10_000;
const MAX_IMPORTS = 10_000;
const MAX_USES = 60_000;

function excessOf({ symbols, imports }: Raw, uses: number): string | null {
  if (symbols.length > MAX_SYMBOLS) return `more than ${MAX_SYMBOLS} definitions`;
  if (imports.length > MAX_IMPORTS) return `more than ${MAX_IMPORTS} imports`;
  return uses > MAX_USES ? `more than ${MAX_USES} uses of names` : null;
}

/** Takes what a query finds in a text, and sorts it by what it is. */
export function createCollector(words: Vocabulary, text: string): { raw: Raw; take: TakeMatch } {
  const raw = nothing(text);
  const match = createMatch(text);
  let uses = 0;
  const take: TakeMatch = (pattern, cells, captures) => {
    // Most matches are one name in use, a scope or a local without a type, so little is made for them.
    const alone = captures === 1 ? words[cells[0] ?? 0] : undefined;
    if (alone && addAlone(raw, alone, cells)) {
      if (alone.place === 0 || ++uses <= MAX_USES) return true;
      raw.cut = excessOf(raw, uses);
      return false;
    }
    match.named.fill(-1);
    match.pattern = pattern;
    match.symbol = null;
    match.cells = cells;
    for (let cell = 0; cell < captures * CAPTURE_CELLS; cell += CAPTURE_CELLS) {
      const word = words[cells[cell] ?? 0];
      if (!word) continue;
      const { place, kind, isOuter, role } = word;
      if (place > 0) addUse(raw, cells[cell + START_CELL] ?? 0, place, match);
      else if (kind !== null) match.symbol = { kind, isOuter, cell };
      else if (role !== NO_ROLE) match.named[role] = cell;
    }
    add(raw, match);
    raw.cut = excessOf(raw, uses);
    return raw.cut === null;
  };
  return { raw, take };
}

/** Adds what a match of one capture says; false where that needs more. */
function addAlone(raw: Raw, { place, role }: Vocabulary[number], cells: Int32Array): boolean {
  const start = cells[START_CELL] ?? 0;
  if (place > 0) mark(raw.places, start, place);
  else if (role === ROLES.local) raw.locals.push({ start, type: null, isHoisted: false });
  else if (role === ROLES.scope || role === ROLES["scope.function"])
    raw.scopes.push({
      start,
      end: cells[END_CELL] ?? 0,
      isMembers: false,
      isFunction: role === ROLES["scope.function"],
    });
  else return false;
  return true;
}

// Texts are read one after another, so all that are not too long share the room for their places.
const shared = new Uint8Array(1 << 16);

function clearPlaces(size: number): Uint8Array {
  return size > shared.length ? new Uint8Array(size) : shared.subarray(0, size).fill(0);
}

function nothing(text: string): Raw {
  return {
    symbols: [],
    locals: [],
    places: clearPlaces(text.length + 1),
    receivers: new Map(),
    scopes: [],
    imports: [],
    exports: [],
    fields: [],
    packages: [],
    outer: [],
    exported: new Set(),
    hidden: new Set(),
    cut: null,
  };
}

function createMatch(text: string): Match {
  const named = new Int32Array(Object.keys(ROLES).length);
  const cellOf = (role: Role) => named[role] ?? -1;
  const match: Match = {
    pattern: 0,
    symbol: null,
    named,
    cells: new Int32Array(0),
    has: (role) => cellOf(role) >= 0,
    start: (role) => {
      const cell = cellOf(role);
      return cell < 0 ? -1 : (match.cells[cell + START_CELL] ?? -1);
    },
    said: (role) => {
      const cell = cellOf(role);
      return cell < 0 ? null : text.slice(match.cells[cell + START_CELL], match.cells[cell + END_CELL]);
    },
  };
  return match;
}

function addUse(raw: Raw, start: number, place: number, { start: startOf }: Match): void {
  mark(raw.places, start, place);
  const receiver = startOf(ROLES.receiver);
  if (receiver >= 0) raw.receivers.set(start, receiver);
}

const CAPITALS = /^_*[A-Z][A-Z0-9_]*$/;

function add(raw: Raw, match: Match): void {
  if (match.symbol) addSymbol(raw, match, match.symbol);
  else if (match.has(ROLES.import) || match.has(ROLES.reexport) || match.has(ROLES.include))
    addImport(raw, match);
  else addOther(raw, match);
}

function addSymbol(raw: Raw, match: Match, { kind, isOuter, cell }: Found): void {
  const nameStart = match.start(ROLES.name);
  if (nameStart < 0) return;
  const said = match.said(ROLES.name) ?? "";
  raw.symbols.push({
    kind: kind !== "value" ? kind : CAPITALS.test(said) ? "constant" : "variable",
    isOuter,
    pattern: match.pattern,
    start: match.cells[cell + START_CELL] ?? 0,
    end: match.cells[cell + END_CELL] ?? 0,
    nameStart,
    name: said,
    bodyStart: match.start(ROLES.body),
    owner: match.said(ROLES.owner),
    type: match.said(ROLES.type) ?? callOf(match.said(ROLES["type.call"])),
    doc: match.said(ROLES.doc),
  });
  if (match.has(ROLES.exported)) raw.exported.add(nameStart);
  if (match.has(ROLES.hidden)) raw.hidden.add(nameStart);
}

/** What an import's name here is taken from, the first that there is. */
const LOCALS = [
  ROLES["import.alias"],
  ROLES["import.default"],
  ROLES["import.all"],
  ROLES["import.name"],
] as const;

function addImport(raw: Raw, match: Match): void {
  const kind = match.has(ROLES.reexport) ? "reexport" : match.has(ROLES.include) ? "include" : "import";
  const local = LOCALS.find(match.has);
  raw.imports.push({
    statement: match.start(ROLES[kind]),
    kind,
    source: match.said(ROLES["import.source"]),
    name: match.has(ROLES["import.default"])
      ? "default"
      : match.has(ROLES["import.all"])
        ? "*"
        : match.said(ROLES["import.name"]),
    nameStart: match.start(
      match.has(ROLES["import.default"]) ? ROLES["import.default"] : ROLES["import.name"],
    ),
    local: local === undefined ? null : (match.said(local)?.replace(/^\*$/, "") ?? null),
    localStart: local === undefined ? -1 : match.start(local),
    path: match.said(ROLES["import.path"]),
  });
}

function addOther(raw: Raw, match: Match): void {
  addScope(raw, match);
  addLocal(raw, match);
  const exported = match.said(ROLES["export.local"]);
  if (exported !== null)
    raw.exports.push({
      name: match.has(ROLES["export.default"]) ? "default" : (match.said(ROLES["export.name"]) ?? exported),
      nameStart: match.start(ROLES["export.name"]),
      local: exported,
    });
  const field = match.start(ROLES.field);
  const type = field < 0 ? null : typeOf(match);
  if (type !== null) raw.fields.push({ start: field, name: match.said(ROLES.field) ?? "", type });
  if (match.has(ROLES.exported)) raw.exported.add(match.start(ROLES.exported));
  if (match.has(ROLES.hidden)) raw.hidden.add(match.start(ROLES.hidden));
  if (match.has(ROLES.outer)) raw.outer.push(match.start(ROLES.outer));
  const ownPackage = match.said(ROLES.package);
  if (ownPackage !== null) raw.packages.push(ownPackage);
}

function addScope(raw: Raw, { named, cells }: Match): void {
  const plain = named[ROLES.scope] ?? -1;
  const members = named[ROLES["scope.members"]] ?? -1;
  const whole = named[ROLES["scope.function"]] ?? -1;
  const cell = Math.max(plain, members, whole);
  if (cell < 0) return;
  const start = cells[cell + START_CELL] ?? 0;
  const end = cells[cell + END_CELL] ?? 0;
  raw.scopes.push({ start, end, isMembers: members >= 0, isFunction: whole >= 0 });
}

function addLocal(raw: Raw, match: Match): void {
  const hoisted = match.start(ROLES["local.function"]);
  const start = Math.max(match.start(ROLES.local), hoisted);
  if (start >= 0) raw.locals.push({ start, type: typeOf(match), isHoisted: hoisted >= 0 });
}

function typeOf({ said }: Match): string | null {
  const type = callOf(said(ROLES["type.call"])) ?? said(ROLES.type);
  return type === null || type.length > MAX_TYPE ? null : evenBlanks(type);
}

function callOf(said: string | null): string | null {
  return said === null ? null : `${said}()`;
}
