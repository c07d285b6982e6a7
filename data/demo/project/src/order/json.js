import { orderColumns } from "./columns.js";

export function ordersToJson(orders) {
  return JSON.stringify(orders.map((order) => Object.fromEntries(orderColumns.map((column) => [column, order[column] ?? null]))), null, 2);
}
