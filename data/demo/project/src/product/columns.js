import { formatCents } from "../lib/money.js";

/** Columns of every export of products, in order. */
export const productColumns = [
  { name: "id", of: (product) => product.id },
  { name: "name", of: (product) => product.name },
  { name: "price", of: (product) => formatCents(product.cents) },
  { name: "stock", of: (product) => product.stock },
  { name: "note", of: (product) => product.note },
];
