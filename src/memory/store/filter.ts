/** Which memories may come up: the coarse filter, the same for every way of finding. */
export interface Filter {
  /** Milliseconds since 1970: what is cold by then is left out, unless `cold`. */
  now: number;
  cold: boolean;
  /** A folder or file without a slash at its end; null: anywhere. */
  under: string | null;
}

/** The filter as SQL takes it. */
export interface FilterValues {
  now: number;
  cold: number;
  under: string | null;
}

/** The filter's condition on a memory `m`; superseded ones stay in, since they lead to what stands in their place. */
export const FILTER_SQL =
  "m.status <> 'retired' and (:cold = 1 or m.cold_from is null or m.cold_from > :now) and (:under is null or " +
  "not exists (select 1 from memory_files f where f.rid = m.rid) or exists (select 1 from memory_files f where " +
  "f.rid = m.rid and (f.path = :under or (f.path >= :under || '/' and f.path < :under || '0'))))";

/** Brings a filter into the form of {@link FILTER_SQL}. */
export function filterValues({ now, cold, under }: Filter): FilterValues {
  const folder = under?.replace(/^(?:\.?\/)+|\/+$/g, "") ?? "";
  return { now, cold: cold ? 1 : 0, under: folder === "" || folder === "." ? null : folder };
}
