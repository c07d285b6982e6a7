import type { Node } from "web-tree-sitter";
import type { SymbolKind } from "../types.js";
import type { Raw } from "./raw.js";
import type { Source } from "./source.js";

const MAX_ERRORS = 100;
const MAX_VISITED = 5000;
const MAX_LINES = 5000;
/** A definition is taken to be no longer. */
const MAX_LENGTH = 1000;
const MODIFIER =
  "(?:export|default|public|private|protected|internal|static|abstract|final|async|override|open|sealed|data|inline|virtual|unsafe|pub(?:\\([^)]*\\))?)";
const DEFINITION = new RegExp(
  `^([ \\t]*)(?:${MODIFIER}\\s+)*(class|interface|enum|struct|trait|function\\*?|def|fn|func|fun|module|namespace)\\s+([\\p{L}_$][\\p{L}\\p{N}_$]*)\\s*(?=$|[({<:;]|extends\\b|implements\\b|where\\b)`,
  "u",
);
const MEMBER = new RegExp(
  `^([ \\t]+)(?:(?:${MODIFIER}|get|set|async)\\s+)*([\\p{L}_$#][\\p{L}\\p{N}_$]*)\\s*\\((?!\\s*["'\`])(?:(?!=>|\\bfunction\\b)[^;])*\\{\\s*$`,
  "u",
);
const STATEMENTS = new Set([
  "if",
  "for",
  "while",
  "switch",
  "catch",
  "with",
  "function",
  "return",
  "do",
  "else",
  "new",
]);
const KINDS: Record<string, SymbolKind> = {
  class: "class",
  struct: "class",
  trait: "interface",
  interface: "interface",
  enum: "enum",
  module: "module",
  namespace: "module",
};

/** The line (from 1) of a tree's first error. */
export function firstError(root: Node, source: Source): number {
  return source.lineAt(errorsOf(root)[0]?.startIndex ?? 0);
}

/** Adds definitions that stand in what the parser could not make sense of, found by how their lines begin. */
export function recover(raw: Raw, root: Node, source: Source): void {
  const known = new Set(raw.symbols.map(({ nameStart }) => nameStart));
  let left = MAX_LINES;
  let next = 1;
  // A definition may have become a part of the broken statement around the error.
  const broken = root.children.filter((child) => child !== null && child.hasError && !child.isError);
  const errors = errorsOf(root).map((error) => {
    const around = broken.find(
      (each) => each.startIndex <= error.startIndex && error.endIndex <= each.endIndex,
    );
    return around?.type === "expression_statement" ? around : error;
  });
  for (const error of errors) {
    const last = source.lineAt(error.endIndex);
    for (
      let line = Math.max(next, source.lineAt(error.startIndex));
      line <= last && left > 0;
      line++, left--
    ) {
      const found = definitionAt(line, source);
      if (!found || known.has(found.nameStart)) continue;
      known.add(found.nameStart);
      raw.symbols.push({
        ...found,
        pattern: Infinity,
        isOuter: false,
        bodyStart: endOfLine(line, source),
        owner: null,
        type: null,
        doc: null,
      });
      if (/^\s*export\b/.test(source.lineText(line))) raw.exported.add(found.nameStart);
    }
    next = Math.max(next, last + 1);
  }
}

interface Found {
  kind: SymbolKind;
  name: string;
  nameStart: number;
  start: number;
  end: number;
}

function definitionAt(line: number, source: Source): Found | null {
  const text = source.lineText(line);
  if (text.length > MAX_LINE) return null;
  const said = DEFINITION.exec(text);
  const member = said ? null : MEMBER.exec(text);
  const indent = said?.[1] ?? member?.[1] ?? "";
  const name = said?.[3] ?? member?.[2];
  if (name === undefined || (member && STATEMENTS.has(name))) return null;
  const start = source.startOf(line);
  const kind = member ? "method" : (KINDS[said?.[2] ?? ""] ?? "function");
  const nameAt = text.indexOf(
    name,
    said ? text.indexOf(said[2] ?? "") + (said[2]?.length ?? 0) : indent.length,
  );
  return {
    kind,
    name,
    nameStart: start + nameAt,
    start: start + indent.length,
    end: endOf(line, indent.length, source),
  };
}

const MAX_LINE = 300;

/** A definition ends before the next line that is indented no more, or with it where that line closes it. */
function endOf(line: number, indent: number, source: Source): number {
  const limit = Math.min(source.lines, line + MAX_LENGTH);
  for (let at = line + 1; at <= limit; at++) {
    const text = source.lineText(at);
    const own = text.search(/\S/);
    if (own < 0 || own > indent) continue;
    return /^\s*(?:[})\]]|end\b)/.test(text) ? endOfLine(at, source) : endOfLine(at - 1, source);
  }
  return source.startOf(limit + 1);
}

function endOfLine(line: number, source: Source): number {
  return source.startOf(line) + source.lineText(line).length;
}

/** The outermost errors in source order, the first ones. */
export function errorsOf(root: Node): Node[] {
  const found: Node[] = [];
  // Trees may be deeper than calls can be.
  const open = [root];
  for (let left = MAX_VISITED; left > 0 && found.length < MAX_ERRORS; left--) {
    const node = open.pop();
    if (!node) break;
    if (node.isError || node.isMissing) found.push(node);
    else if (node.hasError) for (const child of node.children.toReversed()) open.push(child);
  }
  return found;
}
