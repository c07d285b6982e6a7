import type { GrammarTables } from "./grammar-tables.js";
import type { Runtime } from "./runtime.js";

/**
 * The nodes of a tree that its patterns ask for, as rows of numbers in the order of the text, so that what stands in a node comes
 * right after it. Indices of the text count UTF-16 units.
 */
export interface Nodes {
  count: number;
  /** What each is, by the grammar's number for it. */
  kinds: Uint16Array;
  /** The field of its parent that it stands in; 0 for none. */
  fields: Uint16Array;
  starts: Int32Array;
  ends: Int32Array;
  /** The row after the last one that stands in it. */
  nexts: Int32Array;
}

/** How tree-sitter numbers errors. */
const ERROR = 0xffff;
/** A tree of more rows than this leaves its buffers to the garbage. */
const MAX_KEPT = 1 << 17;
const FIRST_ROWS = 1 << 12;

/** Room for the nodes of one tree after another. */
export function createNodes(): Nodes {
  return { count: 0, ...rows(FIRST_ROWS) };
}

function rows(size: number): Omit<Nodes, "count"> {
  return {
    kinds: new Uint16Array(size),
    fields: new Uint16Array(size),
    starts: new Int32Array(size),
    ends: new Int32Array(size),
    nexts: new Int32Array(size),
  };
}

/** Cells of a subtree that does not fit into its pointer, as `subtree.h` has them. */
const SUBTREE = {
  padding: 1,
  size: 4,
  children: 9,
  symbol: 10,
  flags: 11,
  visibleChildren: 12,
  descendants: 14,
  production: 16,
} as const;
const VISIBLE = 1;
const EXTRA = 4;
const FRAME = 7;
/** What is kept of the parent while its child is being read; as deep as the deepest tree so far. */
let frames: Int32Array = new Int32Array(FRAME * 64);

/**
 * Fills the rows with the nodes of a tree, of those without a name only what is `kept`, has a field or holds others.
 *
 * A subtree takes two cells. Where the lowest bit of the first one is set, they hold all of a small leaf; otherwise it is the address of
 * what holds it, and its children lie right before that. A hidden subtree is none of the nodes, but those in it are. The space before a
 * subtree is that before its first child.
 */
export function readNodes(
  { HEAP32: heap }: Runtime,
  tree: number,
  { kindOf, slots, width }: GrammarTables,
  { nodes, kept }: { nodes: Nodes; kept: Uint8Array },
): void {
  let at = tree >> 2;
  makeRoom(nodes, heap, at);
  const { kinds, fields, starts, ends, nexts } = nodes;
  let end = at + 2;
  let depth = 0;
  let count = 0;
  let position = 0;
  let child = 0;
  let row = 0;
  let outerField = 0;
  let owner = -1;
  for (;;) {
    if (at === end) {
      if (owner >= 0) nexts[owner] = count;
      if (depth === 0) break;
      depth -= FRAME;
      at = frames[depth] ?? 0;
      end = frames[depth + 1] ?? 0;
      position = frames[depth + 2] ?? 0;
      child = frames[depth + 3] ?? 0;
      row = frames[depth + 4] ?? 0;
      outerField = frames[depth + 5] ?? 0;
      owner = frames[depth + 6] ?? 0;
      continue;
    }
    const word = heap[at] ?? 0;
    const cell = word >>> 2;
    const before = position;
    let flags = word >>> 1;
    let symbol = (word >>> 8) & 0xff;
    let start = before;
    let children = 0;
    if ((word & 1) === 1) {
      const sizes = heap[at + 1] ?? 0;
      start += (sizes >>> 16) & 0xff;
      position = start + (sizes >>> 24);
    } else {
      flags = heap[cell + SUBTREE.flags] ?? 0;
      symbol = (heap[cell + SUBTREE.symbol] ?? 0) & 0xffff;
      start += heap[cell + SUBTREE.padding] ?? 0;
      position = start + (heap[cell + SUBTREE.size] ?? 0);
      children = heap[cell + SUBTREE.children] ?? 0;
      if (children > 0 && heap[cell + SUBTREE.visibleChildren] === 0) children = 0;
    }
    at += 2;
    const isExtra = (flags & EXTRA) !== 0;
    const slot = isExtra || child >= width ? 0 : (slots[row + child] ?? 0);
    if (!isExtra) child++;
    const field = slot >>> 16 || outerField;
    const alias = slot & 0xffff;
    const isShown = alias !== 0 || (flags & VISIBLE) !== 0;
    let own = -1;
    if (isShown) {
      const shown = alias === 0 ? symbol : alias;
      const kind = shown === ERROR ? kindOf.length : (kindOf[shown] ?? 0);
      if (children > 0 || field !== 0 || kept[kind] === 1) {
        own = count;
        kinds[count] = kind;
        fields[count] = field;
        starts[count] = start >> 1;
        ends[count] = position >> 1;
        nexts[count] = ++count;
      }
    }
    if (children === 0) continue;
    frames = withRoom(frames, depth + FRAME);
    frames[depth] = at;
    frames[depth + 1] = end;
    frames[depth + 2] = position;
    frames[depth + 3] = child;
    frames[depth + 4] = row;
    frames[depth + 5] = outerField;
    frames[depth + 6] = owner;
    depth += FRAME;
    at = cell - 2 * (heap[cell + SUBTREE.children] ?? 0);
    end = cell;
    position = before;
    child = 0;
    owner = own;
    outerField = isShown ? 0 : field;
    row = ((heap[cell + SUBTREE.production] ?? 0) >>> 16) * width;
  }
  nodes.count = count;
}

function makeRoom(nodes: Nodes, heap: Int32Array, root: number): void {
  const word = heap[root] ?? 0;
  const size = (word & 1) === 1 ? 1 : 1 + (heap[(word >>> 2) + SUBTREE.descendants] ?? 0);
  const has = nodes.kinds.length;
  if (size > has || (has > MAX_KEPT && size <= MAX_KEPT))
    Object.assign(nodes, rows(Math.max(size, FIRST_ROWS)));
}

function withRoom(present: Int32Array, size: number): Int32Array {
  if (size <= present.length) return present;
  const more = new Int32Array(size * 2);
  more.set(present);
  return more;
}
