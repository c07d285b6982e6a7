import { productColumns } from "./columns.js";

/** Products as a list of objects with the export columns. */
export function productsToJson(products) {
  const rows = products.map((product) =>
    Object.fromEntries(productColumns.map(({ name, of }) => [name, of(product) ?? null])),
  );
  return JSON.stringify(rows, null, 2);
}
