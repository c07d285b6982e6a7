import { type KnowledgeItem, packKnowledge } from "../context/index.js";
import {
  type Answer,
  type Query,
  MAX_PHASE_TOKENS,
  knowledgeForPhase,
  match,
  otherRoots,
  recallSurely,
  sureOf,
} from "../knowledge/index.js";
import type { MemoryType, Recalled } from "../memory/index.js";
import type { Phase } from "../requirements/index.js";
import { estimateTokens } from "../shared/index.js";
import { verifiedIn } from "./code-history.js";
import { countShown } from "./count-use.js";
import type { ShownCode } from "./job.js";
import { asMaterial } from "./material.js";
import type { Run } from "./types.js";

const MAX_RECALLED = 5;
const MEMORY_TOKENS = 400;

/** What kinds of memory a phase wishes for, and whether it is shown others too. */
const WISHES: Readonly<Record<Phase, { types: readonly MemoryType[]; only: boolean }>> = {
  requirement: { types: ["fact", "decision"], only: true },
  design: { types: ["decision", "pattern"], only: false },
  implement: { types: ["pattern"], only: false },
  validate: { types: ["event"], only: false },
  complete: { types: [], only: false },
};

/** What is known for one phase, ready for a pack: most relevant first. */
export interface PhaseExperience {
  rules: KnowledgeItem[];
  memories: KnowledgeItem[];
  /** Ids of rules and notes among them, by the text of their item. */
  ids: ReadonlyMap<string, string>;
}

/** Asks the rules, notes and deposits what fits this requirement in this phase. */
export async function experienceFor(
  run: Run,
  phase: Phase,
  more: Partial<Query>,
  signal: AbortSignal,
): Promise<Answer> {
  const query = queryOf(run, phase, more);
  const sure = sureOf(await recallSurely(run.memory, run.knowledge, query, signal));
  const roots = otherRoots(run.settings.knowledge.roots);
  return match(run.knowledge, query, { ...sure, ...(await verifiedIn(run, signal)), roots });
}

/** Chooses by layers what a phase's agent is shown: rules, the index, notes and documents, then what memory finds besides. */
export async function knowledgeFor(
  run: Run,
  phase: Phase,
  more: Partial<Query>,
  signal: AbortSignal,
): Promise<PhaseExperience> {
  const query = queryOf(run, phase, more);
  const limit = Math.min(MAX_PHASE_TOKENS, run.settings.context.max_context_tokens);
  const { types, only } = WISHES[phase];
  const found = await recallSurely(run.memory, run.knowledge, { ...query, types }, signal);
  const asked = { ...query, ...sureOf(found), ...(await verifiedIn(run, signal)) };
  const chosen = knowledgeForPhase(run.knowledge, phase, asked, limit);
  const known = new Set([...chosen.rules, ...chosen.memories].flatMap(({ id, path }) => [id, path]));
  const recalled = found
    .filter(({ memory }) => !only || types.includes(memory.type))
    .slice(0, MAX_RECALLED)
    .filter(({ memory }) => !known.has(memory.id) && !known.has(memory.path.split("#", 1)[0] ?? ""))
    .map(({ memory, score, why, conflictsWith }) => {
      const against = conflictsWith.length === 0 ? "" : ` (contradicts ${conflictsWith.join(", ")})`;
      const text = `${memory.title}${against}\n${clip(memory.text)}`;
      return { id: memory.id, path: memory.path, text, score, why };
    });
  const ids = new Map<string, string>();
  const itemOf = ({
    id,
    path,
    text,
    score,
    why,
  }: Omit<KnowledgeItem, "text"> & { id: string; text: string }) => {
    const shown = id === path ? text : `[${id}] ${text}`;
    if (/^(EXP|R)-/.test(id)) ids.set(shown, id);
    return { path, text: shown, score, why };
  };
  const memories = sameErrorFirst([...chosen.memories, ...recalled], found, query.text);
  return { rules: chosen.rules.map(itemOf), memories: memories.map(itemOf), ids };
}

/** What fixed the very error that the text names goes before everything else. */
function sameErrorFirst<Item extends { id: string; score: number }>(
  items: readonly Item[],
  found: readonly Recalled[],
  text: string,
): Item[] {
  const same = new Set(
    found.flatMap(({ memory }) =>
      memory.tags.some((tag) => tag.startsWith("ERR-") && text.includes(tag)) ? [memory.id] : [],
    ),
  );
  const isSame = ({ id }: Item) => same.has(id);
  const first = items.filter(isSame).map((item) => ({ ...item, score: 1 + item.score }));
  return [...first, ...items.filter((item) => !isSame(item))];
}

/** The same for an agent that is shown no code: what it reads, and the pack that this is. */
export async function knowledgeAlone(
  run: Run,
  phase: Phase,
  more: Partial<Query>,
  signal: AbortSignal,
): Promise<ShownCode> {
  const experience = await knowledgeFor(run, phase, more, signal);
  const limit = Math.min(MAX_PHASE_TOKENS, run.settings.context.max_context_tokens);
  const pack = packKnowledge(experience, limit);
  return { pack, text: "", knowledge: showKnowledge(run, phase, { pack, experience }), known: new Set() };
}

/** The rules and memories of a pack as prompt text; counts what of them is shown. */
export function showKnowledge(
  run: Run,
  phase: Phase,
  { pack, experience }: { pack: ShownCode["pack"]; experience: PhaseExperience },
): string {
  const items = pack.items.filter(({ tier }) => tier === "rules" || tier === "memory");
  const ids = [...new Set(items.flatMap(({ text }) => experience.ids.get(text) ?? []))];
  countShown(run, phase, ids);
  const text = items.map((item) => `${item.path}\n${item.text}`).join("\n\n");
  return text
    ? `<knowledge>\n${asMaterial(text)}\n</knowledge>`
    : "<knowledge>\nNothing from earlier work fits.\n</knowledge>";
}

function queryOf(run: Run, phase: Phase, more: Partial<Query>): Query {
  return {
    text: more.text ?? `${run.title}\n${run.text}`,
    paths: more.paths ?? [],
    labels: run.ask.thread?.labels ?? [],
    symbols: more.symbols ?? [],
    phase,
  };
}

/** Enough of a memory to know whether to read its file. */
function clip(text: string): string {
  if (estimateTokens(text) <= MEMORY_TOKENS) return text;
  return `${text.slice(0, MEMORY_TOKENS * 3).replace(/[\ud800-\udbff]$/, "")} …`;
}
