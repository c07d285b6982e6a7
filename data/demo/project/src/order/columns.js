import { formatCents } from "../lib/money.js";
import { totalOf } from "./lines.js";

/** Columns of every export of orders, in order. */
export const orderColumns = [
  { name: "id", of: (order) => order.id },
  { name: "customer", of: (order) => order.customer },
  { name: "placed", of: (order) => order.placed },
  { name: "status", of: (order) => order.status },
  { name: "total", of: (order) => formatCents(totalOf(order)) },
  { name: "note", of: (order) => order.note },
];
