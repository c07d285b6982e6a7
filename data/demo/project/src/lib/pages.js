import { HttpError } from "../http/errors.js";

const DEFAULT_SIZE = 50;
const MAX_SIZE = 200;

function positive(text, name) {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new HttpError(400, `${name}=${text} has to be 1 or more.`);
  return number;
}

/** The part of a list that a query asks for, with what is needed to ask for the next one. */
export function pageOf(items, query = {}) {
  const page = positive(query.page ?? 1, "page");
  const size = Math.min(MAX_SIZE, positive(query.size ?? DEFAULT_SIZE, "size"));
  const start = (page - 1) * size;
  return { items: items.slice(start, start + size), page, pages: Math.max(1, Math.ceil(items.length / size)) };
}
