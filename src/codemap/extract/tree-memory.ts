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

/** Cells of what is known of a subtree while its children are read. */
const FRAME = {
  /** The child that comes next, and where they end. */
  at: 0,
  end: 1,
  /** How many of its production it had so far. */
  child: 2,
  /** Where the slots of its production start. */
  slots: 3,
  /** What a hidden subtree hands on to its children. */
  field: 4,
  /** Its own row; -1 where it has none. */
  row: 5,
} as const;
const FRAME_CELLS = 6;
/** As deep as the deepest tree so far. */
let frames: Int32Array = new Int32Array(FRAME_CELLS * 64);

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
  const root = tree >> 2;
  makeRoom(nodes, heap, root);
  const { kinds, fields, starts, ends, nexts } = nodes;
  let [position, count, frame] = [0, 0, 0];
  frames.set([root, root + 2, 0, 0, 0, -1]);
  while (frame >= 0) {
    const at = frames[frame + FRAME.at] ?? 0;
    if (at === frames[frame + FRAME.end]) {
      const row = frames[frame + FRAME.row] ?? 0;
      if (row >= 0) nexts[row] = count;
      frame -= FRAME_CELLS;
      continue;
    }
    frames[frame + FRAME.at] = at + 2;
    const word = heap[at] ?? 0;
    const cell = word >>> 2;
    const before = position;
    let start = before;
    let flags = word >>> 1;
    let symbol = (word >>> 8) & 0xff;
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
      children = heap[cell + SUBTREE.visibleChildren] === 0 ? 0 : (heap[cell + SUBTREE.children] ?? 0);
    }
    let slot = 0;
    if ((flags & EXTRA) === 0) {
      const child = frames[frame + FRAME.child] ?? 0;
      frames[frame + FRAME.child] = child + 1;
      if (child < width) slot = slots[(frames[frame + FRAME.slots] ?? 0) + child] ?? 0;
    }
    const field = slot >>> 16 || (frames[frame + FRAME.field] ?? 0);
    const alias = slot & 0xffff;
    const isShown = alias !== 0 || (flags & VISIBLE) !== 0;
    // Errors are beyond all symbols.
    const kind = kindOf[alias || symbol] ?? kindOf.length;
    const isRow = isShown && (children > 0 || field !== 0 || kept[kind] === 1);
    if (isRow) {
      kinds[count] = kind;
      fields[count] = field;
      starts[count] = start >> 1;
      ends[count] = position >> 1;
      nexts[count] = ++count;
    }
    if (children === 0) continue;
    frame += FRAME_CELLS;
    if (frame + FRAME_CELLS > frames.length) frames = twice(frames);
    frames[frame + FRAME.at] = cell - 2 * children;
    frames[frame + FRAME.end] = cell;
    frames[frame + FRAME.child] = 0;
    frames[frame + FRAME.slots] = ((heap[cell + SUBTREE.production] ?? 0) >>> 16) * width;
    frames[frame + FRAME.field] = isShown ? 0 : field;
    frames[frame + FRAME.row] = isRow ? count - 1 : -1;
    position = before;
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

function twice(present: Int32Array): Int32Array {
  const more = new Int32Array(present.length * 2);
  more.set(present);
  return more;
}
