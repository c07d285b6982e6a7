import { estimateTokens, sha256 } from "../shared/index.js";
import {
  subjectOf,
  typedEvidence,
  weakEvidence,
  wordWeights,
  type Evidence,
  type Subject,
} from "./evidence.js";
import { foldId, liveKnowledge, readLibrary, type Live } from "./library.js";
import { LEVELS } from "./rule-keys.js";
import type { Answer, Note, Query, Rule, RuleLevel, Tree } from "./types.js";

const MAX_ITEMS = 5;
const EVIDENCE_LINE = /`([^`]+)`.*\bsha256:([0-9a-f]{8,64})/i;

/** Something that fits, before it is put into its bucket. */
interface Hit {
  id: string;
  level: RuleLevel;
  evidence: Evidence;
  isPending: boolean;
  verified: boolean | null;
}

/**
 * Finds the rules and notes that fit a task.
 * Contract: the same tree and query give the same answer, in the same order; an empty answer is a good one.
 */
export function match(tree: Tree, query: Query): Answer {
  const live = liveKnowledge(readLibrary(tree));
  const subject = subjectOf(query);
  const verify = verifier(tree, live);
  const rules = rank(
    live.rules.flatMap(({ rule, isPending }) => {
      const evidence = ruleEvidence(rule, subject);
      const verified = evidence ? verify(rule.source.match(/\bEXP-\w+/g) ?? []) : null;
      return evidence ? [{ id: rule.id, level: rule.level, evidence, isPending, verified, rule }] : [];
    }),
  );
  const weights = wordWeights(live.notes.map(({ note }) => occasions(note).join("\n")));
  const notes = live.notes.flatMap(({ note, isPending }) => {
    if (!passesPhase(note.triggers.phases, subject)) return [];
    const typed = typedEvidence({ ...note.triggers, services: [] }, subject);
    const evidence = typed ?? weakEvidence(occasions(note), subject, weights);
    return evidence
      ? [{ id: note.id, level: "info" as const, evidence, isPending, verified: verify([note.id]), note }]
      : [];
  });
  return {
    ...fileBuckets(tree, rules, notes),
    risk: { alerts: alerts(rules) },
    service: { suggestions: suggestions(rules) },
  };
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

type RuleHit = Hit & { rule: Rule };
type NoteHit = Hit & { note: Note };

function fileBuckets(tree: Tree, rules: RuleHit[], notes: NoteHit[]): Pick<Answer, "context" | "pattern"> {
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
    const text = tree.get(hit.path);
    // A pointer into our own folder that leads nowhere is known to be wrong.
    const isDead = text === undefined && hit.path.startsWith("context/");
    bucket.push({ ...itemOf(hit, text ?? ""), verified: isDead ? false : hit.verified, path: hit.path });
  }
  return buckets;
}

function alerts(rules: RuleHit[]): Answer["risk"]["alerts"] {
  return rules
    .filter(({ rule }) => rule.kind === "risk")
    .slice(0, MAX_ITEMS)
    .map((hit) => ({ ...itemOf(hit, hit.rule.alert), level: hit.rule.level, message: hit.rule.alert }));
}

function suggestions(rules: RuleHit[]): Answer["service"]["suggestions"] {
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

/** Compares the code that notes cite with what is there now; null when a note cites nothing that can be seen. */
function verifier(tree: Tree, live: Live): (noteIds: readonly string[]) => boolean | null {
  const notes = new Map(live.notes.map(({ note }) => [foldId(note.id), note]));
  return (noteIds) => {
    const cited = noteIds.flatMap((id) => notes.get(foldId(id))?.related ?? []);
    const results = cited.flatMap((line) => {
      const [, path = "", hash = ""] = EVIDENCE_LINE.exec(line) ?? [];
      const text = tree.get(path);
      return text === undefined ? [] : [sha256(text).startsWith(hash.toLowerCase())];
    });
    return results.length === 0 ? null : results.every(Boolean);
  };
}
