import { AccrueError, estimateTokens } from "../shared/index.js";
import { INDEX_PATH } from "./context-index.js";
import { subjectOf, weakEvidence, wordWeights, type Subject } from "./evidence.js";
import { readFrontmatter } from "./frontmatter.js";
import { glossaryOf, GLOSSARY_PATH } from "./glossary.js";
import { answerOf, hitsOf, type NoteHit, type RuleHit } from "./match.js";
import { clipTokens, promptContent } from "./knowledge-text.js";
import { readLines } from "./lines.js";
import { headingOf } from "./note-sections.js";
import type { Lookups, Query, Tree } from "./types.js";

/** What a phase is given is never longer than this, whatever is asked for. */
export const MAX_PHASE_TOKENS = 3_000;
const MAX_DOCUMENTS = 4;
const MIN_ITEM_TOKENS = 40;

/** A piece of knowledge as a context pack takes it. */
export interface PhaseItem {
  id: string;
  path: string;
  text: string;
  score: number;
  why: string;
  tokens: number;
}

/** What a phase starts with. */
export interface PhaseKnowledge {
  /** Warnings, services and the files that rules name. */
  rules: PhaseItem[];
  /** The overview, documents of the phase's layer, and notes. */
  memories: PhaseItem[];
  tokens: number;
}

/** Which documents each phase may load besides what rules bring up: the further on, the closer to the code. */
interface Layer {
  folders: readonly string[];
  /** Of these folders only the documents whose path says this. */
  only?: RegExp;
  /** True when the overview of the folders is loaded although the text does not speak of it. */
  hasOverview: boolean;
  /** Which notes of experience are loaded: all that fit, or those whose triggers hit. */
  notes: "all" | "triggered" | "none";
}

const SERVICES = "context/tech/services/";
const OVERVIEW = /\/(overview|readme|index|summary|(业务|技术)?(概览|总览|概述))\.md$/i;
const CONFIGURES = /services\/|config|setting|deploy|env|stack|配置|部署|环境/i;
const LAYERS: Readonly<Record<string, Layer>> = {
  requirement: { folders: ["context/business/"], hasOverview: true, notes: "triggered" },
  design: { folders: ["context/tech/"], hasOverview: true, notes: "all" },
  implement: { folders: [], hasOverview: false, notes: "all" },
  validate: { folders: [], hasOverview: false, notes: "all" },
  complete: { folders: [], hasOverview: false, notes: "none" },
  configuration: { folders: ["context/tech/"], only: CONFIGURES, hasOverview: false, notes: "all" },
};

/**
 * Loads knowledge by layers: the business overview and what is known to matter at `requirement`, technology at `design`,
 * experience before code is written, services and settings at `configuration`. Rules come first, then the index, then notes, then documents.
 * Contract: at most `maxTokens`, and never more than 3,000; the same tree and query give the same items.
 */
export function knowledgeForPhase(
  tree: Tree,
  phase: string,
  query: Omit<Query, "phase"> & Lookups,
  maxTokens: number = MAX_PHASE_TOKENS,
): PhaseKnowledge {
  const layer = LAYERS[phase];
  if (!layer) {
    const known = Object.keys(LAYERS).join(", ");
    throw new AccrueError(
      "INPUT_INVALID",
      `"${phase}" is no phase that loads knowledge: use one of ${known}.`,
    );
  }
  // Rules know the five phases; settings are written while code is.
  const asked = { ...query, phase: phase === "configuration" ? "implement" : phase };
  const { rules, notes: fitting } = hitsOf(tree, asked, query);
  const notes = fitting.filter(
    ({ evidence }) => layer.notes === "all" || (layer.notes === "triggered" && evidence.isTyped),
  );
  const answer = answerOf(tree, { rules, notes });
  const scores = scoresOf(rules, notes);
  const found = { rules: [] as PhaseItem[], memories: [] as PhaseItem[] };
  const budget = createBudget(Math.min(maxTokens, MAX_PHASE_TOKENS));
  const add = (kind: keyof typeof found, item: Omit<PhaseItem, "tokens">) => {
    const fitting = budget.take(item);
    if (fitting) found[kind].push(fitting);
  };
  const fileOf = (id: string) => rules.find((hit) => hit.id === id)?.rule.file ?? "";
  for (const { id, level, message, why } of answer.risk.alerts)
    add("rules", { id, path: fileOf(id), text: `${level}: ${message}`, score: scores(id), why });
  for (const { id, service, why } of answer.service.suggestions)
    add("rules", { id, path: fileOf(id), text: `service: ${service}`, score: scores(id), why });
  const index = promptContent(INDEX_PATH, tree.get(INDEX_PATH));
  add("memories", { id: INDEX_PATH, path: INDEX_PATH, text: index, score: 1, why: "what there is" });
  const files = [...answer.pattern.files, ...answer.context.files].sort(
    (a, b) => scores(b.id) - scores(a.id),
  );
  for (const { id, path, why, verified } of files) {
    const mark = verified === false ? "(unverified: the code it cites has changed)\n" : "";
    const content = promptContent(path, tree.get(path));
    const text = content === "" ? "" : mark + content;
    add(fileOf(id) === "" ? "memories" : "rules", { id, path, text, score: scores(id), why });
  }
  const loaded = new Set(files.map(({ path }) => path));
  for (const item of documents(tree, layer, asked)) if (!loaded.has(item.path)) add("memories", item);
  return { ...found, tokens: budget.spent() };
}

function scoresOf(rules: readonly RuleHit[], notes: readonly NoteHit[]): (id: string) => number {
  const scores = new Map([...rules, ...notes].map(({ id, evidence }) => [id, evidence.score]));
  return (id) => scores.get(id) ?? 0;
}

/** Documents of the layer: its overview, then those that the text speaks of by name, title or heading. */
function documents(tree: Tree, layer: Layer, query: Query): Omit<PhaseItem, "tokens">[] {
  const subject = subjectOf(query, glossaryOf(tree));
  const inLayer = [...tree.keys()].filter(
    (path) =>
      path.endsWith(".md") &&
      path !== GLOSSARY_PATH &&
      layer.folders.some((folder) => path.startsWith(folder)) &&
      (layer.only?.test(path) ?? true),
  );
  const headings = new Map(inLayer.map((path) => [path, headingsOf(path, tree.get(path) ?? "")]));
  const weights = wordWeights([...headings.values()].map((titles) => titles.join("\n")));
  const ranked = inLayer.flatMap((path) => {
    const item = { id: path, path, text: promptContent(path, tree.get(path)) };
    if (layer.hasOverview && OVERVIEW.test(path) && !path.startsWith(SERVICES))
      return [{ ...item, score: 2, why: "overview" }];
    if (namesDocument(path, subject)) return [{ ...item, score: 1, why: "named in the text" }];
    // Services are details: they are loaded where they are named.
    const evidence = path.startsWith(SERVICES)
      ? null
      : weakEvidence(headings.get(path) ?? [], subject, weights);
    return evidence ? [{ ...item, score: evidence.score, why: evidence.why }] : [];
  });
  return ranked.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1)).slice(0, MAX_DOCUMENTS);
}

/** True when the text names the file, by the word that people call it. */
function namesDocument(path: string, subject: Subject): boolean {
  const stem = (path.split("/").at(-1) ?? "").replace(/\.md$/i, "");
  return (
    stem.length >= 3 &&
    (subject.text.includes(stem.toLowerCase()) || subject.paths.some((p) => p.split("/").includes(stem)))
  );
}

function headingsOf(path: string, text: string): string[] {
  const { lines } = readLines(path, readFrontmatter(path, text).body);
  return lines.flatMap((line) => (line.isCode ? [] : (headingOf(line.text)?.title ?? [])));
}

/** Hands out tokens; an item that does not fit is cut where enough of it is left to say something. */
function createBudget(limit: number) {
  let spent = 0;
  return {
    spent: () => spent,
    take: (item: Omit<PhaseItem, "tokens">): PhaseItem | null => {
      const wanted = estimateTokens(item.text);
      const room = limit - spent;
      if (wanted === 0 || (wanted > room && room < MIN_ITEM_TOKENS)) return null;
      const text = clipTokens(item.text, room);
      const tokens = estimateTokens(text);
      if (tokens > room) return null;
      spent += tokens;
      return { ...item, text, tokens };
    },
  };
}
