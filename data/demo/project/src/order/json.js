import { orderColumns } from "./columns.js";

/** Orders as a list of objects with the export columns. */
export function ordersToJson(orders) {
  const rows = orders.map((order) =>
    Object.fromEntries(orderColumns.map(({ name, of }) => [name, of(order) ?? null])),
  );
  return JSON.stringify(rows, null, 2);
}
