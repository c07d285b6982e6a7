import type { Database } from "../../db/index.js";
import { FILTER_SQL, type FilterValues } from "./filter.js";

/** Finds the memories whose vectors are closest to one, among those of a filter. */
export type Nearest = (vector: Float32Array, filter: FilterValues, count: number) => number[];

/** Lets SQLite compare, by the functions of sqlite-vec: nothing is loaded for a single question. */
export function nearestInSqlite(db: Database, embedder: string): Nearest {
  const statement = db
    .prepare<[FilterValues & { vector: Buffer; embedder: string; count: number }], number>(
      // Cross joined, so that the vectors are gone through in their order. They have length 1, so that distance and angle rank
      // alike; the distance is what sqlite-vec computes fastest.
      "select m.rid from vectors v cross join memories m on m.vid = v.vid where v.embedder = :embedder and v.vector is not null " +
        `and ${FILTER_SQL} order by vec_distance_L2(v.vector, :vector), m.folded_id limit :count`,
    )
    .pluck();
  return (vector, filter, count) => {
    const blob = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
    return statement.all({ ...filter, vector: blob, embedder, count });
  };
}

/** Compares in JavaScript, where sqlite-vec cannot be loaded: the same ranking over the same vectors, which are kept in memory. */
export function nearestInMemory(db: Database, embedder: string, width: number): Nearest {
  const passing = db
    .prepare<[FilterValues & { rid: number }], number>(
      `select 1 from memories m where m.rid = :rid and ${FILTER_SQL}`,
    )
    .pluck();
  const matrix = createMatrix(db, embedder, width);
  return (vector, filter, count) => {
    const { rids, numbers } = matrix();
    const close = new Float32Array(rids.length);
    for (let row = 0; row < rids.length; row++) {
      let sum = 0;
      for (let at = 0; at < width; at++) sum += (numbers[row * width + at] ?? 0) * (vector[at] ?? 0);
      close[row] = sum;
    }
    // Rows are in the order of their ids, so that of equal ones the first stays first.
    const order = rids.map((_, row) => row).sort((a, b) => (close[b] ?? 0) - (close[a] ?? 0));
    const best: number[] = [];
    for (const row of order) {
      if (best.length >= count) break;
      const rid = rids[row] ?? 0;
      if (passing.get({ ...filter, rid }) !== undefined) best.push(rid);
    }
    return best;
  };
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

/** A vector as it lies in the database. */
export function vectorOf(blob: Buffer): Float32Array {
  // Copied, since a Float32Array wants its start at a multiple of four.
  return new Float32Array(new Uint8Array(blob).buffer);
}
