import { LineCounter, isMap, isScalar, parseDocument, type YAMLMap } from "yaml";
import type { Tree } from "../knowledge/index.js";
import { filesLike, lineAt, plain } from "./lines.js";
import type { Fact } from "./types.js";

const METHODS = ["get", "post", "put", "patch", "delete", "head", "options"];
const MAX_SUMMARY = 80;

/** What is offered to others by contract: operations of OpenAPI documents, and calls of proto files. Names, never parameters. */
export function readSpecs(files: Tree): Fact[] {
  return [
    ...filesLike(files, /\.(?:ya?ml|json)$/i).flatMap(([path, text]) => operations(path, text)),
    ...filesLike(files, /\.proto$/i).flatMap(([path, text]) => calls(path, text)),
  ];
}

function operations(path: string, text: string): Fact[] {
  if (!/^\s*(?:\{\s*)?["']?(?:openapi|swagger)["']?\s*:/m.test(text.slice(0, 2000))) return [];
  const counter = new LineCounter();
  const paths: unknown = parseDocument(text, { lineCounter: counter, logLevel: "silent" }).get("paths");
  if (!isMap(paths)) return [];
  return paths.items.flatMap(({ key: route, value }) => {
    if (!isMap(value)) return [];
    return value.items.flatMap(({ key, value: operation }) => {
      const method = isScalar(key) ? String(key.value).toLowerCase() : "";
      if (!METHODS.includes(method)) return [];
      const id = isMap(operation) ? said(operation, "operationId") : "";
      const summary = isMap(operation) ? said(operation, "summary") : "";
      const where = isScalar(key) ? counter.linePos(key.range?.[0] ?? 0).line : 1;
      const name = [method.toUpperCase(), isScalar(route) ? String(route.value) : "", id].filter(Boolean);
      const isName = /^[\w.-]+$/.test(id);
      return [
        {
          text: plain(name.join(" ")) + (summary ? `: ${plain(summary, MAX_SUMMARY)}` : ""),
          pointer: isName ? `${path}#${id}` : `${path}:${where}`,
        },
      ];
    });
  });
}

function said(operation: YAMLMap, key: string): string {
  const value: unknown = operation.get(key);
  return typeof value === "string" ? value : "";
}

function calls(path: string, text: string): Fact[] {
  const facts: Fact[] = [];
  for (const service of text.matchAll(/^[ \t]*service\s+(\w+)\s*\{/gm)) {
    const [, name = ""] = service;
    const from = service.index + service[0].length;
    const next = text.slice(from).search(/^[ \t]*(?:service|message|enum)\s+\w+\s*\{/m);
    const body = next < 0 ? text.slice(from) : text.slice(from, from + next);
    for (const call of body.matchAll(/((?:^[ \t]*\/\/.*\n)*)^[ \t]*rpc\s+(\w+)\s*\(/gm)) {
      const about = plain((call[1] ?? "").replaceAll(/^[ \t]*\/\/+/gm, " "), MAX_SUMMARY);
      facts.push({
        text: `rpc ${name}.${call[2] ?? ""}${about ? `: ${about}` : ""}`,
        pointer: `${path}:${lineAt(text, from + call.index + call[0].lastIndexOf("rpc"))}`,
      });
    }
  }
  return facts;
}
