import { type Answer, type Query, knowledgeText, match } from "../knowledge/index.js";
import type { Phase } from "../requirements/index.js";
import { countUse } from "./count-use.js";
import { asMaterial } from "./material.js";
import type { Run } from "./types.js";

/** Tokens of knowledge that a phase may be shown (design: about 3,000). */
const MAX_KNOWLEDGE_TOKENS = 3000;

/** Asks the rules, notes and deposits what fits this requirement in this phase. */
export function experienceFor(run: Run, phase: Phase, more: Partial<Query> = {}): Answer {
  return match(run.knowledge, {
    text: more.text ?? `${run.title}\n${run.text}`,
    paths: more.paths ?? [],
    labels: run.ask.thread?.labels ?? [],
    symbols: more.symbols ?? [],
    phase,
  });
}

/** The same as prompt text; remembers which ids the phase's agents were shown. */
export function knowledgePrompt(run: Run, phase: Phase, more: Partial<Query> = {}): string {
  const limit = Math.min(MAX_KNOWLEDGE_TOKENS, run.settings.context.max_context_tokens);
  const { text, ids } = knowledgeText(run.knowledge, experienceFor(run, phase, more), limit);
  run.shown.set(phase, ids);
  for (const id of ids) countUse(run, { kind: id.startsWith("R-") ? "rule" : "note", id, how: "shown" });
  return text
    ? `<knowledge>\n${asMaterial(text)}\n</knowledge>`
    : "<knowledge>\nNothing from earlier work fits.\n</knowledge>";
}
