import type { Database } from "../../db/index.js";
import type { Embedder } from "../types.js";
import { FILTER_SQL, type FilterValues } from "./filter.js";
import type { Reader } from "./reader.js";
import { vectorOf } from "./rows.js";

/** Finds the memories whose vectors are closest to one, among those of a filter. */
export type Nearest = (vector: Float32Array, filter: FilterValues, count: number) => number[];

/** So many times what is asked for is looked at first; more when the filter leaves too little of it. */
const WIDER = 4;
/** So many times as many as are wanted are gathered before the best of them are kept. */
const SORTED_OFTEN = 4;

/** Lets SQLite compare, by the functions of sqlite-vec: nothing is loaded for a single question. */
export function nearestInSqlite(db: Database, embedder: string): Nearest {
  const statement = db
    .prepare<[FilterValues & { vector: Buffer; embedder: string; most: number; count: number }], number>(
      // Vectors have length 1, so that distance and angle rank alike; the distance is what sqlite-vec computes fastest.
      "select m.rid from (select vid, vec_distance_L2(vector, :vector) as far from vectors where embedder = :embedder " +
        "and vector is not null order by far limit :most) v cross join memories m on m.vid = v.vid " +
        `where ${FILTER_SQL} order by v.far, m.folded_id limit :count`,
    )
    .pluck();
  const total = db.prepare<[string], number>("select count(*) from vectors where embedder = ?").pluck();
  return (vector, filter, count) => {
    const blob = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
    return widening(
      count,
      () => total.get(embedder) ?? 0,
      (most) => statement.all({ ...filter, vector: blob, embedder, most, count }),
    );
  };
}

/** Asks for the best of a few, and of more as long as the filter leaves too little of them. */
function widening(count: number, total: () => number, best: (most: number) => number[]): number[] {
  for (let most = count * WIDER; ; most *= WIDER) {
    const found = best(most);
    if (found.length >= count || most >= total()) return found;
  }
}

/** Compares in JavaScript, where sqlite-vec cannot be loaded: the same ranking over the same vectors, which are kept in memory. */
export function nearestInMemory(
  db: Database,
  { id: embedder, width }: Pick<Embedder, "id" | "width">,
  passes: Reader["passes"],
): Nearest {
  const matrix = createMatrix(db, embedder, width);
  return (vector, filter, count) => {
    const { rids, numbers } = matrix();
    const close = new Float32Array(rids.length);
    for (let row = 0; row < rids.length; row++) {
      let sum = 0;
      for (let at = 0; at < width; at++) sum += (numbers[row * width + at] ?? 0) * (vector[at] ?? 0);
      close[row] = sum;
    }
    const passing = (rows: readonly number[]) => {
      const found: number[] = [];
      for (const row of rows) {
        const rid = rids[row] ?? 0;
        if (passes(rid, filter)) found.push(rid);
        if (found.length === count) break;
      }
      return found;
    };
    return widening(
      count,
      () => rids.length,
      (most) => passing(closest(close, most)),
    );
  };
}

/** The rows that are closest, best first; of equal ones the first, since rows are in the order of their ids. */
function closest(close: Float32Array, most: number): number[] {
  const byCloseness = (a: number, b: number) => (close[b] ?? 0) - (close[a] ?? 0) || a - b;
  let rows: number[] = [];
  let least = -Infinity;
  for (let row = 0; row < close.length; row++) {
    const value = close[row] ?? 0;
    if (value < least) continue;
    rows.push(row);
    if (rows.length < most * SORTED_OFTEN) continue;
    // What is not among the best so far never will be.
    rows = rows.sort(byCloseness).slice(0, most);
    least = close[rows.at(-1) ?? 0] ?? 0;
  }
  return rows.sort(byCloseness).slice(0, most);
}

/** All vectors in one array, a row each. */
interface Matrix {
  rids: readonly number[];
  numbers: Float32Array;
}

/** Reads the vectors again when the database has changed, by whomever. */
function createMatrix(db: Database, embedder: string, width: number): () => Matrix {
  const version = db.prepare<[], number>("pragma data_version").pluck();
  const changes = db.prepare<[], number>("select total_changes()").pluck();
  const read = db
    .prepare<[string], [number, Buffer]>(
      "select m.rid, v.vector from memories m join vectors v on v.vid = m.vid where v.embedder = ? and v.vector is not null " +
        "order by m.folded_id",
    )
    .raw();
  let state = "";
  let matrix: Matrix = { rids: [], numbers: new Float32Array(0) };
  const load = (): Matrix => {
    const rows = read.all(embedder);
    const numbers = new Float32Array(rows.length * width);
    for (const [row, [, blob]] of rows.entries()) numbers.set(vectorOf(blob), row * width);
    return { rids: rows.map(([rid]) => rid), numbers };
  };
  return () => {
    const now = `${version.get()} ${changes.get()}`;
    if (now !== state) matrix = load();
    state = now;
    return matrix;
  };
}
