import type { CodeMap, MappedSymbol } from "../codemap/index.js";
import { type Deposit, formatEvidence } from "../knowledge/index.js";
import { type Language, inertLine } from "../shared/index.js";
import { type LearntBy, learntDeposit } from "./learnt-deposit.js";

/** From so many places outside of its own file on, a new function is the way that something is done here. */
const LEAST_CALLS = 3;
const MAX_USES = 200;
const MAX_SHOWN = 8;

/** A function that a change brought in, and where it is called already. */
export interface NewPattern {
  symbol: Pick<MappedSymbol, "key" | "name" | "path" | "signature" | "doc">;
  /** Files that call it, without its own and without tests, each once. */
  files: string[];
  /** How many calls that are. */
  calls: number;
}

/**
 * Functions that a change added and that are called from several places outside of their own file. What was only moved, or stood
 * in its file before, is not new. Contract: the map is of the new side of the diff.
 */
export function newPatterns(
  map: Pick<CodeMap, "impactOfDiff" | "references">,
  diff: string,
  before: ReadonlyMap<string, string>,
): NewPattern[] {
  const deleted = deletedLines(diff);
  return map.impactOfDiff(diff).changed.flatMap((symbol) => {
    const { key, name, path, kind, signature, isTest } = symbol;
    const isFunction = kind === "function" || kind === "method" || isArrow(symbol);
    if (!isFunction || isTest || stands(name, before.get(path) ?? "") || deleted.has(squeezed(signature)))
      return [];
    const uses = map.references(key, { limit: MAX_USES, least: "likely" }).items;
    const calls = uses.filter((use) => use.kind === "call" && use.path !== path && !use.isTest);
    if (calls.length < LEAST_CALLS) return [];
    return [{ symbol, files: [...new Set(calls.map((use) => use.path))], calls: calls.length }];
  });
}

/** `const run = () => …` is a function too. */
function isArrow({ kind, signature }: MappedSymbol): boolean {
  return (kind === "constant" || kind === "variable") && /=>|\bfunction\b/.test(signature);
}

function stands(name: string, text: string): boolean {
  return text.split(/[^\p{L}\p{N}_$]+/u).includes(name);
}

function deletedLines(diff: string): Set<string> {
  const lines = diff.split("\n").filter((line) => line.startsWith("-") && !line.startsWith("---"));
  return new Set(lines.map((line) => squeezed(line.slice(1).replace(/\{\s*$/, ""))));
}

function squeezed(line: string): string {
  return line.replace(/[\s{]+/g, "");
}

const TEXTS = {
  en: {
    title: (name: string) => `Call ${name} for this`,
    problem: (name: string, requirement: string) =>
      `\`${name}\` came with ${requirement} and is used in several places.`,
    solution: (key: string, signature: string, doc: string) =>
      `Use \`${key}\` instead of writing it again: \`${signature}\`.${doc ? ` ${doc}` : ""}`,
    files: (count: number, list: string) => `Called ${count} times, in ${list}.`,
    proof: (key: string) => `\`accrue map refs ${key}\` shows who calls it.`,
  },
  zh: {
    title: (name: string) => `此类需要请调用 ${name}`,
    problem: (name: string, requirement: string) => `\`${name}\` 随 ${requirement} 引入，已在多处使用。`,
    solution: (key: string, signature: string, doc: string) =>
      `请使用 \`${key}\`，不要重写：\`${signature}\`。${doc ? doc : ""}`,
    files: (count: number, list: string) => `已被调用 ${count} 次：${list}。`,
    proof: (key: string) => `\`accrue map refs ${key}\` 可查看调用者。`,
  },
} as const satisfies Record<Language, unknown>;

/** The pattern that a new function is, linked to its definition and resting on that one's `text`. */
export function patternDeposit(
  { symbol, files, calls }: NewPattern,
  text: string,
  learnt: LearntBy,
): Deposit {
  const { key, name, path, signature, doc } = symbol;
  const say = TEXTS[learnt.language];
  const list = files.slice(0, MAX_SHOWN).map((file) => `\`${file}\``);
  const shown = signature.replaceAll("`", "'");
  return learntDeposit(learnt, {
    key,
    origin: "pattern",
    title: say.title(name),
    type: "pattern",
    problem: say.problem(name, learnt.requirement),
    triggers: { symbols: [key, name] },
    solution: `${say.solution(key, shown, inertLine(doc))}\n\n${say.files(calls, list.join(", "))}`,
    verification: say.proof(key),
    evidence: [formatEvidence({ path, symbol: key.slice(path.length + 1), text })],
  });
}
