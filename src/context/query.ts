import type { ContextBridge } from "./types.js";
import { type Terms, bigramsIn, hashTerm, namesIn } from "./words.js";

/** What is looked for: hashed terms and how much each counts. */
export type Query = ReadonlyMap<number, number>;

/** How much the parts of a task count. */
export const QUERY_WEIGHTS = {
  /** The first line says what it is about; what follows also says why and what else. */
  title: 1,
  body: 0.35,
  requirement: 0.2,
  /** A name in backticks or quotes, or one that is visibly code (`readFile`, `no_octal`, `--flag`). */
  code: 1.5,
  bigram: 0.7,
  bridge: 0.8,
};

const QUOTED = /`([^`\n]+)`|"([^"\n]{2,60})"|'([^'\n]{2,60})'(?![a-z])/g;
const COMPOUND = /[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+/g;
const CODE_NAME = /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|^[A-Z]{2,}[a-z]/;

interface Reader {
  terms: Terms;
  bridge: ContextBridge;
  /** Sum of the weights of each use; one use more counts less than the one before it. */
  uses: Map<number, { best: number; sum: number }>;
}

/** Reads a task: its terms with how much each counts. */
export function readQuery(
  task: string,
  terms: Terms,
  { requirement = "", bridge }: { requirement?: string; bridge?: ContextBridge | undefined } = {},
): Query {
  const [title = "", ...body] = task.trim().split("\n");
  const reader: Reader = { terms, uses: new Map(), bridge: bridge ?? (() => []) };
  readPart(title, QUERY_WEIGHTS.title, reader);
  readPart(body.join("\n"), QUERY_WEIGHTS.body, reader);
  readPart(requirement, QUERY_WEIGHTS.requirement, reader);
  const query = new Map<number, number>();
  for (const [term, { best, sum }] of reader.uses) query.set(term, best * (1 + Math.log(sum / best)));
  return query;
}

function readPart(text: string, weight: number, reader: Reader): void {
  const quoted = new Set(
    [...text.matchAll(QUOTED)].flatMap((match) => namesIn(match[1] ?? match[2] ?? match[3] ?? "")),
  );
  for (const name of [...namesIn(text), ...(text.match(COMPOUND) ?? [])]) {
    const isCode = quoted.has(name) || CODE_NAME.test(name);
    for (const term of reader.terms.ofName(name)) {
      raise(reader, term, weight * (isCode ? QUERY_WEIGHTS.code : 1));
    }
  }
  for (const pair of bigramsIn(text)) raise(reader, hashTerm(pair), weight * QUERY_WEIGHTS.bigram);
  for (const bridged of reader.bridge(text)) {
    for (const term of reader.terms.ofName(bridged.term)) {
      raise(reader, term, weight * bridged.weight * QUERY_WEIGHTS.bridge);
    }
  }
}

function raise({ uses }: Reader, term: number, weight: number): void {
  if (weight <= 0) return;
  const { best, sum } = uses.get(term) ?? { best: 0, sum: 0 };
  uses.set(term, { best: Math.max(best, weight), sum: sum + weight });
}
