import { describeExports, exportFileName, exportsOf, findExport } from "../export/registry.js";
import { dayOf, isDay } from "../lib/dates.js";
import { pageOf } from "../lib/pages.js";
import { dailySales } from "../report/daily-sales.js";
import { contentTypes, downloadHeaders } from "./content-types.js";
import { HttpError, notFound } from "./errors.js";

function json(value, status = 200) {
  return {
    status,
    headers: { "content-type": contentTypes.json },
    body: JSON.stringify(value),
  };
}

function storeOf(shop, module) {
  const store = shop.stores[module];
  if (!store) throw notFound(`module ${module}`);
  return store;
}

/** What a request may be answered with: method, path pattern and the function that answers; the first that fits. */
const routes = [
  ["GET", /^\/exports$/, (shop, request) => json(describeExports(request.role))],
  ["GET", /^\/report\/daily\.csv$/, serveDailySales],
  ["GET", /^\/(\w+)\/export\.(\w+)$/, serveExport],
  ["GET", /^\/(\w+)$/, (shop, { query }, module) => json(pageOf(storeOf(shop, module).list(), query))],
  ["GET", /^\/(\w+)\/([\w-]+)$/, (shop, request, module, id) => json(storeOf(shop, module).get(id))],
  ["POST", /^\/(user|order|product)$/, (shop, { body }, module) => json(storeOf(shop, module).add(body), 201)],
  ["POST", /^\/user\/([\w-]+)\/close$/, (shop, request, id) => json(shop.stores.user.close(id))],
  ["POST", /^\/order\/([\w-]+)\/(\w+)$/, ({ stores }, request, id, status) => json(stores.order.move(id, status))],
];

/** Answers `GET /<module>/export.<format>` from the registry, as a file to save. */
function serveExport(shop, { role }, module, format) {
  const entry = findExport(module, format);
  if (!entry) {
    const known = exportsOf(module);
    const hint = known.length > 0 ? ` It can be exported as ${known.join(", ")}.` : "";
    throw new HttpError(404, `There is no ${format} export of ${module}.${hint}`);
  }
  if (!entry.roles.includes(role)) throw new HttpError(403, `A ${role} may not export ${entry.title}.`);
  return {
    status: 200,
    headers: downloadHeaders(exportFileName(module, format, dayOf(shop.clock())), format),
    body: entry.write(storeOf(shop, module).list()),
  };
}

function serveDailySales(shop, { query }) {
  const day = query.day ?? dayOf(shop.clock());
  if (!isDay(day)) throw new HttpError(400, `day=${day} is no day: write it as 2026-03-01.`);
  return {
    status: 200,
    headers: downloadHeaders(`sales-${day}.csv`, "csv"),
    body: dailySales(shop.stores, day),
  };
}

function find(method, path) {
  let isKnown = false;
  for (const [allowed, pattern, answer] of routes) {
    const match = pattern.exec(path);
    if (!match) continue;
    if (allowed === method) return { answer, captures: match.slice(1) };
    isKnown = true;
  }
  if (isKnown) throw new HttpError(405, `${method} is not possible at ${path}.`);
  throw notFound(`address ${path}`);
}

/**
 * Answers one request, never throws for what a caller did wrong. A request is `{ method, path, query, body, role }`, an
 * answer `{ status, headers, body }`; neither knows about sockets, so tests need none.
 */
export function route(shop, { method, path, query = {}, body = {}, role = "manager" }) {
  try {
    const { answer, captures } = find(method, path);
    return answer(shop, { query, body, role }, ...captures);
  } catch (error) {
    if (error instanceof HttpError) return json({ error: error.message }, error.status);
    throw error;
  }
}
