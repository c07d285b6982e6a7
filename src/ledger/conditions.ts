import type { EntryFilter } from "./types.js";

/** A `where` clause and its values. */
export interface Conditions {
  where: string;
  values: string[];
}

/** Turns a filter into SQL; `day` is the expression that gives a row's day. */
export function conditions(filter: EntryFilter, day: string): Conditions {
  const { repository, agent } = filter;
  const parts: [string, string | undefined][] = [
    ["host = ?", repository?.host],
    ["owner = ?", repository?.owner],
    ["name = ?", repository?.name],
    [`${day} = ?`, filter.day],
    [`${day} >= ?`, filter.since],
    [`${day} <= ?`, filter.until],
    ["requirement = ?", filter.requirement],
    ["run = ?", filter.run],
    ["task = ?", filter.task],
    ["phase = ?", filter.phase],
  ];
  const given = parts.filter((part): part is [string, string] => part[1] !== undefined);
  const sql = given.map(([condition]) => condition);
  const values: string[] = given.map(([, value]) => value);
  if (filter.isEstimate !== undefined) sql.push(`estimated = ${filter.isEstimate ? 1 : 0}`);
  if (agent !== undefined) {
    sql.push("(agent = ? or substr(agent, 1, length(?) + 1) = ? || '/')");
    values.push(agent, agent, agent);
  }
  return { where: sql.length > 0 ? `where ${sql.join(" and ")}` : "", values };
}

/** The day of a row that has a time. */
export const DAY_OF_TIME = "substr(at, 1, 10)";
