import { estimateTokens } from "../shared/index.js";
import {
  subjectOf,
  typedEvidence,
  weakEvidence,
  wordWeights,
  type Evidence,
  type Subject,
} from "./evidence.js";
import { glossaryOf } from "./glossary.js";
import { foldId, liveKnowledge, readLibrary } from "./library.js";
import { oncePerTree } from "./once-per-tree.js";
import { LEVELS } from "./rule-keys.js";
import type { Answer, Lookups, Note, Query, Rule, RuleLevel, Tree } from "./types.js";
import { createVerifier } from "./verify.js";

const MAX_ITEMS = 5;
/** Among fewer notes hardly any fits by chance. */
const DOUBTED_FROM = 50;

/** Something that fits, before it is put into its bucket. */
interface Hit {
  id: string;
  level: RuleLevel;
  evidence: Evidence;
  isPending: boolean;
  verified: boolean | null;
}

/** A rule that fits. */
export type RuleHit = Hit & { rule: Rule };
/** A note that fits. */
export type NoteHit = Hit & { note: Note };

/**
 * Finds the rules and notes that fit a task.
 * Contract: the same tree and query give the same answer, in the same order; an empty answer is a good one.
 */
export function match(tree: Tree, query: Query, lookups: Lookups = {}): Answer {
  return answerOf(tree, hitsOf(tree, query, lookups), lookups.roots);
}

/** The rules and notes that fit, best first. */
export function hitsOf(
  tree: Tree,
  query: Query,
  lookups: Lookups = {},
): { rules: RuleHit[]; notes: NoteHit[] } {
  const { live, weights } = preparedOf(tree);
  const subject = subjectOf(query, glossaryOf(tree));
  const verify = createVerifier(
    tree,
    live.notes.map(({ note }) => note),
    lookups,
  );
  const isUnsure = createDoubt(
    live.notes.map(({ note }) => note),
    lookups,
  );
  const rules = rank(
    live.rules.flatMap(({ rule, isPending }) => {
      const evidence = ruleEvidence(rule, subject);
      const notes = rule.source.match(/\bEXP-\w+/g) ?? [];
      if (!evidence || isUnsure(evidence, notes)) return [];
      return [{ id: rule.id, level: rule.level, evidence, isPending, verified: verify(notes), rule }];
    }),
  );
  const notes = live.notes.flatMap(({ note, isPending }) => {
    if (!passesPhase(note.triggers.phases, subject)) return [];
    const typed = typedEvidence({ ...note.triggers, services: [] }, subject);
    const evidence = typed ?? weakEvidence(occasions(note), subject, weights);
    if (!evidence || isUnsure(evidence, [note.id])) return [];
    return [{ id: note.id, level: "info" as const, evidence, isPending, verified: verify([note.id]), note }];
  });
  return { rules, notes: rank(notes) };
}

/** Rules and notes that may fire, and how telling the words of their occasions are. */
const preparedOf = oncePerTree((tree) => {
  const live = liveKnowledge(readLibrary(tree));
  return { live, weights: wordWeights(live.notes.map(({ note }) => occasions(note).join("\n"))) };
});

/** Doubts single words that a machine took out of a remark; what a person wrote or has looked at counts as it stands. */
function createDoubt(
  notes: readonly Note[],
  { isSure }: Lookups,
): (evidence: Evidence, from: readonly string[]) => boolean {
  const proposed = new Set(notes.filter(({ trust }) => trust !== "reviewed").map(({ id }) => foldId(id)));
  return (evidence, from) => {
    if (!isSure || evidence.isTelling || notes.length < DOUBTED_FROM) return false;
    const machines = from.filter((id) => proposed.has(foldId(id)));
    return machines.length > 0 && machines.length === from.length && !machines.some((id) => isSure(id));
  };
}

/** What fits, in the four buckets. */
export function answerOf(
  tree: Tree,
  { rules, notes }: { rules: readonly RuleHit[]; notes: readonly NoteHit[] },
  roots: readonly string[] = [],
): Answer {
  const isDead = (path: string) =>
    !tree.has(path) && ["context/", ...roots].some((root) => path.startsWith(root));
  const { context, pattern } = fileBuckets(rules, notes, { tree, isDead });
  return { context, risk: { alerts: alerts(rules) }, service: { suggestions: suggestions(rules) }, pattern };
}

function ruleEvidence(rule: Rule, subject: Subject): Evidence | null {
  if (!passesPhase(rule.phases, subject)) return null;
  const evidence = typedEvidence(rule, subject);
  return evidence && (rule.match === "any" || evidence.missed === 0) ? evidence : null;
}

/** A phase never brings anything up, it only holds back. */
function passesPhase(phases: readonly string[], subject: Subject): boolean {
  return phases.length === 0 || subject.phase === null || phases.includes(subject.phase);
}

function occasions(note: Note): string[] {
  return [note.title, ...note.triggers.text];
}

function rank<T extends Hit>(hits: T[]): T[] {
  return hits.sort(
    (a, b) =>
      b.evidence.score - a.evidence.score ||
      LEVELS.indexOf(b.level) - LEVELS.indexOf(a.level) ||
      (a.id < b.id ? -1 : 1),
  );
}

function fileBuckets(
  rules: readonly RuleHit[],
  notes: readonly NoteHit[],
  { tree, isDead }: { tree: Tree; isDead(path: string): boolean },
): Pick<Answer, "context" | "pattern"> {
  const files = rank([
    ...rules.flatMap((hit) => {
      const bucket = hit.rule.kind;
      if (bucket !== "context" && bucket !== "pattern") return [];
      return hit.rule.load.map((path) => ({ ...hit, bucket, path }));
    }),
    ...notes.map((hit) => {
      const bucket = hit.note.type === "pattern" ? ("pattern" as const) : ("context" as const);
      return { ...hit, bucket, path: hit.note.file };
    }),
  ]);
  const buckets = {
    context: { files: [] as Answer["context"]["files"] },
    pattern: { files: [] as Answer["pattern"]["files"] },
  };
  const taken = new Set<string>();
  for (const hit of files) {
    const bucket = buckets[hit.bucket].files;
    if (taken.has(hit.path) || bucket.length >= MAX_ITEMS) continue;
    taken.add(hit.path);
    // A pointer into a folder of knowledge that leads nowhere is known to be wrong.
    const verified = isDead(hit.path) ? false : hit.verified;
    bucket.push({ ...itemOf(hit, tree.get(hit.path) ?? ""), verified, path: hit.path });
  }
  return buckets;
}

function alerts(rules: readonly RuleHit[]): Answer["risk"]["alerts"] {
  return rules
    .filter(({ rule }) => rule.kind === "risk")
    .slice(0, MAX_ITEMS)
    .map((hit) => ({ ...itemOf(hit, hit.rule.alert), level: hit.rule.level, message: hit.rule.alert }));
}

function suggestions(rules: readonly RuleHit[]): Answer["service"]["suggestions"] {
  const byService = new Map<string, Answer["service"]["suggestions"][number]>();
  for (const hit of rules.filter(({ rule }) => rule.kind === "service")) {
    for (const service of hit.rule.suggest) {
      if (!byService.has(service)) byService.set(service, { ...itemOf(hit, service), service });
    }
  }
  return [...byService.values()].slice(0, MAX_ITEMS);
}

function itemOf(hit: Hit, text: string) {
  const { id, evidence, verified, isPending } = hit;
  return { id, why: evidence.why, verified, tokens: estimateTokens(text), pending: isPending };
}
