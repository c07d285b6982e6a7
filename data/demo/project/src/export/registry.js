import { orderColumns } from "../order/columns.js";
import { ordersToJson } from "../order/json.js";
import { productColumns } from "../product/columns.js";
import { productsToJson } from "../product/json.js";
import { userColumns } from "../user/columns.js";
import { usersToJson } from "../user/json.js";

/**
 * Every export that the back office offers. Routes, file names and the list at `/exports` follow this table; the page
 * for people is docs/exports.md.
 *
 * - `title` completes the sentence "export …"
 * - `roles` may download it; user data is for managers, because it is personal
 * - `columns` are the same in every format of a module
 * - `formats` has one function for each file ending, from a list of items to a text
 */
const registry = {
  user: {
    title: "user accounts",
    description: "Everybody who has or had an account, closed ones included.",
    roles: ["manager"],
    columns: userColumns,
    formats: {
      json: usersToJson,
    },
  },
  order: {
    title: "orders",
    description: "Every order with its total, cancelled ones included.",
    roles: ["clerk", "manager"],
    columns: orderColumns,
    formats: {
      json: ordersToJson,
    },
  },
  product: {
    title: "products",
    description: "The whole assortment with prices and stock.",
    roles: ["clerk", "manager"],
    columns: productColumns,
    formats: {
      json: productsToJson,
    },
  },
};

/** Own keys only: a module named `constructor` is no module. */
function entryOf(module) {
  return Object.hasOwn(registry, module) ? registry[module] : null;
}

/** The formats of a module, sorted; empty when nothing of it can be exported. */
export function exportsOf(module) {
  return Object.keys(entryOf(module)?.formats ?? {}).sort();
}

/** One export: how it is written, what it is called, and who may have it. Null when it is not offered. */
export function findExport(module, format) {
  const entry = entryOf(module);
  if (!entry || !Object.hasOwn(entry.formats, format)) return null;
  return { title: entry.title, roles: entry.roles, write: entry.formats[format] };
}

/** Address of an export, below the root of the back office. */
export function exportAddress(module, format) {
  return `/${module}/export.${format}`;
}

/** Name that a browser saves an export under. */
export function exportFileName(module, format, day) {
  return `${module}-${day}.${format}`;
}

/** What a role may export, as `GET /exports` tells it. */
export function describeExports(role) {
  return Object.entries(registry)
    .filter(([, { roles }]) => roles.includes(role))
    .map(([module, { title, description, columns }]) => ({
      module,
      title,
      description,
      columns: columns.map(({ name }) => name),
      formats: exportsOf(module).map((format) => ({
        format,
        address: exportAddress(module, format),
      })),
    }));
}
