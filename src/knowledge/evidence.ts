import picomatch from "picomatch";
import { otherNames, type AliasGroup } from "./glossary.js";
import { mentionsOf } from "./mentions.js";
import type { Query } from "./types.js";
import { contentWords, foldText, hasKeyword } from "./words.js";

/** Typed triggers, of a rule or of a note. */
export interface Triggers {
  keywords: readonly string[];
  paths: readonly string[];
  symbols: readonly string[];
  labels: readonly string[];
  services: readonly string[];
}

/** A query as it is compared, prepared once for all rules and notes. */
export interface Subject {
  /** Folded text, with the other names of what it speaks of. */
  text: string;
  /** Folded names that the text does not have itself, each with the name of the text that means the same. */
  others: ReadonlyMap<string, string>;
  /** Changed files, and files that the text names. */
  paths: string[];
  labels: ReadonlySet<string>;
  symbols: ReadonlySet<string>;
  phase: string | null;
}

/** Which triggers hit, how much they count together, and how many kinds of trigger did not hit. */
export interface Evidence {
  /** False for free text that only sounds alike. */
  isTyped: boolean;
  /** True when a path, symbol, label, service or phrase hit; single words may stand in any text. */
  isTelling: boolean;
  score: number;
  why: string;
  missed: number;
}

const WEIGHTS: Readonly<Record<keyof Triggers, number>> = {
  paths: 3,
  symbols: 3,
  labels: 2,
  services: 2,
  keywords: 1,
};
/** Many keywords of one rule in a text are still one subject. */
const MAX_KEYWORD_SCORE = 3;
/** At least this share of what a free-text trigger says must be in the text, and at least two words. */
const WEAK_FLOOR = 0.6;
const MIN_WEAK_WORDS = 2;
/** How many hits of one kind are named in `why`. */
const MAX_NAMED = 3;

/** Prepares a query for comparing. */
export function subjectOf(query: Query, groups: readonly AliasGroup[] = []): Subject {
  const named = mentionsOf(query.text);
  const others = otherNames(groups, query.text);
  return {
    text: foldText([query.text, ...others.keys()].join(" ; ")),
    others: new Map([...others].map(([name, said]) => [foldText(name), said])),
    paths: [...new Set([...query.paths, ...named.paths].map((path) => path.replace(/^\.?\//, "")))],
    labels: new Set(query.labels),
    symbols: new Set([...query.symbols, ...named.symbols]),
    phase: query.phase,
  };
}

/** Weighs the typed triggers that hit; null when none does. */
export function typedEvidence(triggers: Triggers, subject: Subject): Evidence | null {
  const tests: Record<keyof Triggers, (trigger: string) => boolean> = {
    paths: pathTest(subject),
    symbols: (symbol) => subject.symbols.has(symbol),
    labels: (label) => subject.labels.has(label),
    services: (name) => namesService(name, subject),
    keywords: (keyword) => hasKeyword(subject.text, keyword),
  };
  /** Says under which name the text has it. */
  const named = (trigger: string) => {
    const said = subject.others.get(foldText(trigger));
    return said === undefined ? trigger : `${trigger} (= ${said})`;
  };
  let score = 0;
  let missed = 0;
  let isTelling = false;
  const reasons: string[] = [];
  for (const kind of Object.keys(WEIGHTS) as (keyof Triggers)[]) {
    if (triggers[kind].length === 0) continue;
    const hits = triggers[kind].filter(tests[kind]);
    isTelling ||= hits.some((hit) => kind !== "keywords" || isPhrase(hit));
    if (hits.length === 0) missed += 1;
    else reasons.push(`${kind}: ${hits.slice(0, MAX_NAMED).map(named).join(", ")}`);
    const counted = kind === "keywords" ? Math.min(hits.length, MAX_KEYWORD_SCORE) : Math.min(hits.length, 1);
    score += WEIGHTS[kind] * counted;
  }
  return reasons.length === 0 ? null : { isTyped: true, isTelling, score, why: reasons.join("; "), missed };
}

/** Several words in their order say more than each of them. */
function isPhrase(keyword: string): boolean {
  return /[\p{L}\p{N}]\s+[\p{L}\p{N}]|\p{Script=Han}{4}/u.test(keyword);
}

/** How telling each word is: the fewer notes have it, the more. */
type WordWeights = (word: string) => number;

/** Weights words by how many of these texts have them. */
export function wordWeights(texts: readonly string[]): WordWeights {
  const counts = new Map<string, number>();
  for (const word of texts.flatMap(contentWords)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => Math.log(1 + (texts.length + 1) / (counts.get(word) ?? 1));
}

/** Weighs free text: how much of what a note says of its occasion is in the query; null below the floor. */
export function weakEvidence(
  texts: readonly string[],
  subject: Subject,
  weights: WordWeights,
): Evidence | null {
  let best: Evidence | null = null;
  for (const text of texts) {
    const words = contentWords(text);
    const hits = words.filter((word) => hasKeyword(subject.text, word));
    const sum = (list: readonly string[]) => list.reduce((total, word) => total + weights(word), 0);
    const share = words.length === 0 ? 0 : sum(hits) / sum(words);
    if (hits.length < MIN_WEAK_WORDS || share < WEAK_FLOOR || share <= (best?.score ?? 0)) continue;
    best = {
      isTyped: false,
      isTelling: false,
      score: share,
      why: `text: ${hits.slice(0, MAX_NAMED).join(", ")}`,
      missed: 0,
    };
  }
  return best;
}

function pathTest(subject: Subject): (pattern: string) => boolean {
  return (pattern) => {
    const clean = pattern.replace(/^\.?\//, "");
    // Folders such as `app/(shop)/[id]` are legal names, so the text itself is tried before the pattern.
    if (subject.paths.some((path) => path === clean || (clean.endsWith("/") && path.startsWith(clean))))
      return true;
    const isMatch = picomatch(clean, { dot: true });
    return subject.paths.some((path) => isMatch(path));
  };
}

function namesService(name: string, subject: Subject): boolean {
  return hasKeyword(subject.text, name) || subject.paths.some((path) => path.split("/").includes(name));
}
