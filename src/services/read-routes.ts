import type { Tree } from "../knowledge/index.js";
import { lineAt, plain } from "./lines.js";
import { isCode } from "./pick-files.js";
import type { Fact } from "./types.js";

/** How one framework writes a route: the named groups `method`, `path` and `name` say what it is. */
interface Form {
  files: RegExp;
  /** What a file has to say for the form to be meant: `get("/x")` alone may as well be a request. */
  where: RegExp;
  route: RegExp;
  /** A prefix that the file says once, such as a controller's. */
  prefix?: RegExp;
}

const QUOTED = String.raw`(?<quote>["'\`])(?<path>/[^"'\`\n]*|)\k<quote>`;
const SCRIPT = /\.[cm]?[jt]sx?$/;
const NODE = /\b(?:express|fastify|koa|@koa\/router|hono|restify|polka)\b|\bRouter\(/;
const FORMS: readonly Form[] = [
  {
    files: SCRIPT,
    where: NODE,
    route: new RegExp(
      String.raw`\b(?:app|router|server|fastify|routes?|\w+(?:App|Router|Server|Routes))\s*\.(?<method>get|post|put|patch|delete|del|all)\(\s*${QUOTED}(?:[^\n()=]*?,\s*(?<name>[A-Za-z_$][\w$.]*)\s*,?\s*\))?`,
      "g",
    ),
  },
  {
    files: SCRIPT,
    where: NODE,
    route:
      /\.route\(\s*\{[^{}]{0,200}?method:\s*["'](?<method>\w+)["'][^{}]{0,200}?url:\s*["'](?<path>\/[^"']*)["']/g,
  },
  {
    files: /\.ts$/,
    where: /@Controller\(/,
    route:
      /@(?<method>Get|Post|Put|Patch|Delete)\(\s*(?:["'](?<path>[^"'\n]*)["'])?\s*\)(?:\s*@[^\n]*\n)*\s*(?:public\s+)?(?:async\s+)?(?<name>\w+)\s*\(/g,
    prefix: /@Controller\(\s*["'](?<path>[^"'\n]*)["']/,
  },
  {
    files: /\.py$/,
    where: /\b(?:fastapi|flask|blueprint|APIRouter|starlette|sanic)\b/i,
    route:
      /@\w+\.(?<method>get|post|put|patch|delete|route)\(\s*["'](?<path>\/[^"'\n]*|)["'](?:(?!\n\s*(?:@\w+\.|class |def |async def ))[\s\S]){0,600}?\n\s*(?:@[^\n]*\n\s*)*(?:async\s+)?def\s+(?<name>\w+)/g,
    prefix: /(?:APIRouter|Blueprint)\([^)\n]*(?:url_)?prefix\s*=\s*["'](?<path>[^"'\n]*)["']/,
  },
  {
    files: /urls\.py$/,
    where: /urlpatterns/,
    route: /\b(?:re_)?path\(\s*r?["'](?<path>[^"'\n]*)["']\s*,\s*(?<name>(?!include)[\w.]+)/g,
  },
  {
    files: /\.go$/,
    where: /gin-gonic\/gin|labstack\/echo|go-chi\/chi|gofiber\/fiber|gorilla\/mux|net\/http/,
    route:
      /\b\w+\.(?<method>GET|POST|PUT|PATCH|DELETE|Get|Post|Put|Patch|Delete)\(\s*"(?<path>\/[^"\n]*)"\s*,(?:(?![^\n]*\bfunc\b)[^\n]*?(?<name>[A-Za-z_][\w.]*)\s*(?:\([^()\n]*\))?\))?/g,
  },
  {
    files: /\.go$/,
    where: /net\/http|gorilla\/mux/,
    route:
      /\b(?:HandleFunc|Handle)\(\s*"(?:(?<method>[A-Z]+) )?(?<path>\/[^"\n]*)"\s*,\s*(?<name>[A-Za-z_][\w.]*)?/g,
  },
  {
    files: /\.(?:java|kt)$/,
    where: /@(?:Rest)?Controller\b/,
    route:
      /@(?<method>Get|Post|Put|Patch|Delete)Mapping(?:\(\s*(?:(?:value|path)\s*=\s*)?[{[]?\s*"?(?<path>[^"\n)]*)"?[^)\n]*\))?(?:\s*@[^\n]*\n)*\s*(?:(?:public|protected|private|suspend|fun|final)\s+)*(?:[\w<>?,.[\] ]+\s)?(?<name>\w+)\s*\(/g,
    prefix: /@RequestMapping\(\s*(?:(?:value|path)\s*=\s*)?[{[]?\s*"(?<path>[^"\n]*)"/,
  },
  {
    files: /\.rs$/,
    where: /\baxum\b/,
    route:
      /\.route\(\s*"(?<path>\/[^"\n]*)"\s*,\s*(?:\w+::)*(?<method>get|post|put|patch|delete)\(\s*(?<name>[\w:]+)/g,
  },
  {
    files: /\.cs$/,
    where: /\bWebApplication\b|MapGet|MapPost/,
    route:
      /\.Map(?<method>Get|Post|Put|Patch|Delete)\(\s*"(?<path>[^"\n]*)"(?:\s*,\s*(?<name>[A-Za-z_][\w.]*)\s*\))?/g,
  },
  {
    files: /\.php$/,
    where: /\bRoute::/,
    route: /\bRoute::(?<method>get|post|put|patch|delete)\(\s*["'](?<path>[^"'\n]*)["']/g,
  },
];

/** One that begins a line: within a line it may as well be the end of a path such as `/files/*`. */
const BLOCK_COMMENT = /^[ \t]*\/\*[\s\S]*?\*\//gm;

/** Routes that code registers, by the forms of the usual frameworks: method, path and who answers, never parameters. */
export function readRoutes(files: Tree): Fact[] {
  const facts: Fact[] = [];
  for (const [path, whole] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!isCode(path)) continue;
    const text = whole.replaceAll(BLOCK_COMMENT, (comment) => comment.replaceAll(/[^\n]/g, " "));
    for (const form of FORMS) {
      if (!form.files.test(path) || !form.where.test(text)) continue;
      const prefix = form.prefix?.exec(text)?.groups?.["path"] ?? "";
      for (const found of text.matchAll(form.route))
        if (!isInComment(text, found.index)) facts.push(routeOf(found, { path, text, prefix }));
    }
  }
  return facts;
}

function routeOf(
  { groups, index }: RegExpExecArray,
  { path, text, prefix }: { path: string; text: string; prefix: string },
): Fact {
  const method = (groups?.["method"] ?? "")
    .toUpperCase()
    .replace(/^(?:ROUTE|ALL)$/, "")
    .replace(/^DEL$/, "DELETE");
  const route = `/${prefix}/${groups?.["path"] ?? ""}`.replaceAll(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
  const name = groups?.["name"] ?? "";
  const isDefinedHere = new RegExp(String.raw`\b(?:def|fn|func|function|fun)\s+${lastPart(name)}\b`).test(
    text,
  );
  return {
    text: plain([method, route, name].filter(Boolean).join(" ")),
    pointer: name !== "" && isDefinedHere ? `${path}#${lastPart(name)}` : `${path}:${lineAt(text, index)}`,
  };
}

/** An example in a comment registers nothing. */
function isInComment(text: string, index: number): boolean {
  const line = text.slice(text.lastIndexOf("\n", index - 1) + 1, index);
  return /^\s*(?:\/\/|\/?\*|#)/.test(line);
}

function lastPart(name: string): string {
  return /\w+$/.exec(name)?.[0] ?? "";
}
