import { sha256 } from "../../shared/index.js";
import { badRequest } from "./api-error.js";
import type { Conversation } from "./conversation.js";
import { mismatch } from "./match.js";
import type { Scenario, Step } from "./scenario.js";
import { fillText, fillValue } from "./template.js";

const QUOTED_LENGTH = 200;

/** A block to answer with; `json` is what a tool call's arguments are streamed as. */
export type AnswerBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "tool_use"; id: string; name: string; input: unknown; json: string };

/** What the scripted model answers, and where the script says so. */
export interface Answer {
  scenario: string;
  /** Counted from 1. */
  step: number;
  content: AnswerBlock[];
  stopReason: string;
}

/** Call ids name scenario and step, so that a request shows which steps were taken already. */
function idPrefix(scenario: Scenario, index: number): string {
  return `toolu_${sha256(scenario.name).slice(0, 8)}_${index + 1}_`;
}

function isTaken(scenario: Scenario, index: number, conversation: Conversation): boolean {
  const step = scenario.turns[index];
  if (step === undefined || step.repeat) return false;
  if (step.call !== undefined) {
    const prefix = idPrefix(scenario, index);
    return conversation.callIds.some((id) => id.startsWith(prefix));
  }
  return step.say !== undefined && conversation.said.includes(fillText(step.say, conversation));
}

function play(scenario: Scenario, index: number, step: Step, conversation: Conversation): Answer {
  const content: AnswerBlock[] = [];
  if (step.think !== undefined) {
    const signature = sha256(step.think).slice(0, 24);
    content.push({ type: "thinking", thinking: step.think, signature });
  }
  if (step.say !== undefined) content.push({ type: "text", text: fillText(step.say, conversation) });
  for (const [at, call] of (step.call ?? []).entries()) {
    const id = `${idPrefix(scenario, index)}${conversation.turns + 1}_${at + 1}`;
    const input = fillValue(call.input, conversation);
    content.push({ type: "tool_use", id, name: call.tool, input, json: call.raw ?? JSON.stringify(input) });
  }
  const stopReason = step.stop ?? (step.call === undefined ? "end_turn" : "tool_use");
  return { scenario: scenario.name, step: index + 1, content, stopReason };
}

function quote(name: string, text: string): string {
  return `${name}: ${JSON.stringify(text.slice(0, QUOTED_LENGTH))}`;
}

/** The first scenario that fits, and of it the first step that fits and was not taken; refuses loudly when there is none. */
export function chooseAnswer(scenarios: readonly Scenario[], conversation: Conversation): Answer {
  const scenario = scenarios.find(({ when }) => mismatch(when, conversation) === null);
  if (scenario === undefined) {
    const reasons = scenarios.map(({ name, when }) => `- ${name}: ${mismatch(when, conversation)}`);
    throw badRequest(
      [
        "scripted model: no scenario fits this request.",
        quote("system", conversation.system),
        quote("task", conversation.task),
        `tools: ${conversation.tools.join(", ")}`,
        ...reasons,
      ].join("\n"),
    );
  }
  const reasons: string[] = [];
  for (const [index, step] of scenario.turns.entries()) {
    const reason =
      mismatch(step.when ?? {}, conversation) ??
      (isTaken(scenario, index, conversation) ? "taken already" : null);
    if (reason === null) return play(scenario, index, step, conversation);
    reasons.push(`- step ${index + 1}: ${reason}`);
  }
  throw badRequest(
    [
      `scripted model: scenario "${scenario.name}" has no step for turn ${conversation.turns + 1}.`,
      quote("end of what was seen", conversation.seen.slice(-QUOTED_LENGTH)),
      ...reasons,
    ].join("\n"),
  );
}
