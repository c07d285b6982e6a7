import type { z } from "zod";
import type { Credential } from "./auth.js";
import type { Repository } from "./state.js";
import { invalid, notFound, Refusal, unprocessable } from "./refusal.js";

const DEFAULT_PER_PAGE = 30;
const MAX_PER_PAGE = 100;

/** A request to the API, after its token was checked. */
export interface Call {
  method: string;
  /** Without `/api/v3` and the query. */
  path: string;
  url: URL;
  /** The named parts of the path, decoded. */
  parameters: Record<string, string>;
  accept: string;
  credential: Credential;
  body: unknown;
}

/** What the API says. */
export interface Answer {
  status: number;
  /** Undefined: no body. */
  body?: unknown;
  /** Instead of JSON: a diff, a raw file. */
  raw?: { type: string; bytes: Buffer };
  headers?: Record<string, string>;
  /** What happens once the client has its answer: the webhooks. */
  after?: () => void | Promise<void>;
}

/** A request that is understood, before it is done. */
export interface Plan {
  /** Whose turn a write waits for, so that what follows one write is told before the next. */
  repository: Repository | null;
  serve(): Answer | Promise<Answer>;
}

/** One operation of the API. */
export interface Route {
  method: string;
  template: string;
  serve(call: Call): Answer | Promise<Answer>;
}

/** Finds the route of a request, the most literal one first. */
interface Router {
  find(method: string, path: string): { route: Route; parameters: Record<string, string> } | null;
}

/** Compiles the routes. In a template `{name}` is one part of the path, `{+name}` one or more. */
export function createRouter(routes: Route[]): Router {
  const literal = (template: string) => template.replace(/\{[^}]+\}/g, "").length;
  const compiled = routes
    .map((route) => ({ route, pattern: patternOf(route.template) }))
    .sort((a, b) => literal(b.route.template) - literal(a.route.template));
  return {
    find(method, path) {
      for (const { route, pattern } of compiled) {
        const match = route.method === method ? pattern.exec(path) : null;
        if (match) return { route, parameters: decodeAll(match.groups ?? {}) };
      }
      return null;
    },
  };
}

function patternOf(template: string): RegExp {
  const source = template
    .replace(/[.]/g, "\\.")
    .replace(/\{(\+?)(\w+)\}/g, (_all, many: string, name: string) => `(?<${name}>${many ? ".+" : "[^/]+"})`);
  return new RegExp(`^${source}/?$`);
}

function decodeAll(groups: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch (cause) {
    if (cause instanceof URIError) throw notFound();
    throw cause;
  }
}

/** A named part of the path. */
export function textOf(call: Call, name: string): string {
  return call.parameters[name] ?? "";
}

/** A named part of the path that is a number; anything else does not exist. */
export function numberOf(call: Call, name: string): number {
  const value = Number(call.parameters[name]);
  if (!Number.isSafeInteger(value)) throw notFound();
  return value;
}

/** The request's body in the shape that an operation needs, or 422 in GitHub's words. */
export function bodyOf<Schema extends z.ZodType>(
  call: Call,
  schema: Schema,
  resource: string,
): z.infer<Schema> {
  const result = schema.safeParse(call.body ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join("/") ?? "";
  const isMissing = issue?.code === "invalid_type" && valueAt(call.body, issue.path) === undefined;
  if (isMissing) throw invalid(resource, field, "missing_field");
  throw unprocessable(
    `Invalid request.\n\nFor 'properties/${field}', ${issue?.message ?? "the value is wrong"}.`,
  );
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

/** One page of a list, with the `Link` header that leads to the others. */
export function paginate<Item>(
  call: Call,
  items: Item[],
): { items: Item[]; headers: Record<string, string> } {
  const perPage = Math.min(numberIn(call, "per_page", DEFAULT_PER_PAGE), MAX_PER_PAGE);
  const page = numberIn(call, "page", 1);
  const last = Math.max(1, Math.ceil(items.length / perPage));
  const links: string[] = [];
  const link = (to: number, relation: string) => {
    const url = new URL(call.url);
    url.searchParams.set("page", String(to));
    links.push(`<${url.href}>; rel="${relation}"`);
  };
  if (page > 1) link(page - 1, "prev");
  if (page < last) link(page + 1, "next");
  if (page < last) link(last, "last");
  if (page > 1) link(1, "first");
  return {
    items: items.slice((page - 1) * perPage, page * perPage),
    headers: links.length > 0 ? { link: links.join(", ") } : {},
  };
}

function numberIn(call: Call, name: string, fallback: number): number {
  const value = Number(call.url.searchParams.get(name) ?? fallback);
  return Number.isSafeInteger(value) && value > 0 ? value : fallback;
}

/** 200 with one page of a list. */
export function listed<Item>(call: Call, items: Item[], show: (item: Item) => unknown): Answer {
  const page = paginate(call, items);
  return { status: 200, body: page.items.map(show), headers: page.headers };
}

/** A JSON object, or the 400 that GitHub gives for anything else. */
export function parseJson(text: string): unknown {
  if (text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal(400, "Problems parsing JSON");
  }
  if (typeof value !== "object" || value === null) throw new Refusal(400, "Body should be a JSON object");
  return value;
}
