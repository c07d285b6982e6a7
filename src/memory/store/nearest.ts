import type { Database } from "../../db/index.js";
import { closeness } from "../embed/vectors.js";
import { FILTER_SQL, type FilterValues } from "./filter.js";

/** Finds the memories whose vectors are closest to one, among those of a filter. */
export type Nearest = (vector: Float32Array, filter: FilterValues, count: number) => number[];

/** Lets SQLite compare, by the functions of sqlite-vec: nothing is loaded for a single question. */
export function nearestInSqlite(db: Database, embedder: string): Nearest {
  const statement = db
    .prepare<[FilterValues & { vector: Buffer; embedder: string; count: number }], number>(
      // Cross joined, so that the vectors are gone through in their order.
      "select m.rid from vectors v cross join memories m on m.vid = v.vid where v.embedder = :embedder and v.vector is not null " +
        `and ${FILTER_SQL} order by vec_distance_cosine(v.vector, :vector), m.folded_id limit :count`,
    )
    .pluck();
  return (vector, filter, count) => {
    const blob = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
    return statement.all({ ...filter, vector: blob, embedder, count });
  };
}

/** Compares in JavaScript, where sqlite-vec cannot be loaded: the same ranking over the same vectors, which are kept in memory. */
export function nearestInMemory(db: Database, embedder: string, width: number): Nearest {
  const allowed = db
    .prepare<[FilterValues & { embedder: string }], number>(
      "select m.rid from memories m join vectors v on v.vid = m.vid where v.embedder = :embedder and v.vector is not null " +
        `and ${FILTER_SQL} order by m.folded_id`,
    )
    .pluck();
  const matrix = createMatrix(db, embedder, width);
  return (vector, filter, count) => {
    const rowOf = matrix();
    const best: { rid: number; close: number }[] = [];
    for (const rid of allowed.all({ ...filter, embedder })) {
      const row = rowOf(rid);
      const close = row === null ? 0 : closeness(row, vector);
      const last = best[best.length - 1];
      if (row === null || (best.length >= count && last !== undefined && close <= last.close)) continue;
      // Of equal ones the first stays first.
      const at = best.findIndex((other) => other.close < close);
      best.splice(at < 0 ? best.length : at, 0, { rid, close });
      if (best.length > count) best.pop();
    }
    return best.map(({ rid }) => rid);
  };
}

/** All vectors in one array, read again when the database has changed, by whomever. */
function createMatrix(
  db: Database,
  embedder: string,
  width: number,
): () => (rid: number) => Float32Array | null {
  const version = db.prepare<[], number>("pragma data_version").pluck();
  const changes = db.prepare<[], number>("select total_changes()").pluck();
  const read = db
    .prepare<[string], [number, Buffer]>(
      "select m.rid, v.vector from memories m join vectors v on v.vid = m.vid where v.embedder = ? and v.vector is not null",
    )
    .raw();
  let state = "";
  let places = new Map<number, number>();
  let numbers = new Float32Array(0);
  const load = () => {
    const rows = read.all(embedder);
    places = new Map(rows.map(([rid], place) => [rid, place]));
    numbers = new Float32Array(rows.length * width);
    for (const [place, [, blob]] of rows.entries()) numbers.set(vectorOf(blob), place * width);
  };
  return () => {
    const current = `${version.get()} ${changes.get()}`;
    if (current !== state) load();
    state = current;
    return (rid) => {
      const place = places.get(rid);
      return place === undefined ? null : numbers.subarray(place * width, (place + 1) * width);
    };
  };
}

/** A vector as it lies in the database. */
export function vectorOf(blob: Buffer): Float32Array {
  // Copied, since a Float32Array wants its start at a multiple of four.
  return new Float32Array(new Uint8Array(blob).buffer);
}
