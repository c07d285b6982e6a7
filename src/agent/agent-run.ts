import { isAccrueError } from "../shared/index.js";
import type { ModelTurn, ToolCall, ToolResultBlock } from "../model/index.js";
import { COMPLETE_TASK, createCompletion } from "./completion.js";
import { createHistory } from "./history.js";
import type { Stop } from "./limits.js";
import { NOTICES } from "./notices.js";
import { createTranscript } from "./transcript.js";
import type { AgentDeps, AgentEnd, AgentSpec } from "./types.js";

const SUMMARY_LENGTH = 80;

/** What the loop does with one agent; all of it is written to the transcript. */
export interface AgentRun<Output> {
  ask(signal: AbortSignal): Promise<ModelTurn | Stop>;
  /** Keeps an answer in the history. */
  accept(turn: number, answer: ModelTurn): Promise<void>;
  /** Runs the calls of an answer, or refuses all of them for a reason, and gives each its result. */
  answerCalls(turn: number, answer: ModelTurn, refusal: string | null, signal: AbortSignal): Promise<void>;
  note(turn: number, text: string): Promise<void>;
  /** What `complete_task` has delivered. */
  result(): { output: Output } | null;
  finish(stop: Stop, turns: number, recovered: boolean): Promise<AgentEnd<Output>>;
}

function refuseAll(calls: readonly ToolCall[], content: string): ToolResultBlock[] {
  return calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content, is_error: true }));
}

function summaryOf({ input }: ToolCall): string {
  const value = Object.values(input).find((item) => typeof item === "string") ?? "";
  return value.split("\n", 1).join("").slice(0, SUMMARY_LENGTH);
}

/** Why these calls cannot be run in this turn; null when they can. */
export function refusalOf(answer: ModelTurn): string | null {
  // A call that was cut off can be valid JSON all the same, and would do half of what was meant.
  if (answer.stopReason === "max_tokens") return NOTICES.notExecutedCutOff;
  const isFinal = answer.calls.some(({ name }) => name === COMPLETE_TASK);
  return isFinal && answer.calls.length > 1 ? NOTICES.notExecutedSibling : null;
}

/** Opens the history, the tools and the transcript of one agent. */
export async function openAgentRun<Output>(
  spec: AgentSpec<Output>,
  deps: AgentDeps,
): Promise<AgentRun<Output>> {
  const completion = createCompletion(spec.output);
  const registry = deps.registry.filter(spec.tools).with(completion.tool);
  const history = createHistory(spec.task);
  const transcript = createTranscript(spec.transcript, deps.clock);
  const { system, task, tier, maxOutputTokens, attribution } = spec;
  const tools = registry.specs();
  const toolNames = tools.map(({ name }) => name);
  await transcript.append({ type: "start", agent: attribution.agent, system, task, tools: toolNames });

  return {
    async ask(signal) {
      const request = { tier, system, tools, messages: history.messages(), maxOutputTokens, attribution };
      try {
        return await deps.model.ask(request, signal);
      } catch (error) {
        if (signal.aborted) return { reason: "ABORTED", message: "The model call was cancelled." };
        if (!isAccrueError(error)) throw error;
        return { reason: error.code === "MODEL_OVERFLOW" ? "OVERFLOW" : "ERROR", message: error.message };
      }
    },
    async accept(turn, { content, stopReason, usage, model, costNanoUsd }) {
      history.addAnswer(content);
      await transcript.append({ type: "answer", turn, content, stopReason, usage, model, costNanoUsd });
    },
    async answerCalls(turn, { calls }, refusal, signal) {
      for (const call of calls) {
        deps.onEvent({ type: "tool", turn, name: call.name, summary: summaryOf(call) });
      }
      const content =
        refusal === null ? await registry.execute(calls, spec.context, signal) : refuseAll(calls, refusal);
      for (const [at, { name }] of calls.entries()) {
        deps.onEvent({ type: "tool-result", turn, name, isError: content[at]?.is_error === true });
      }
      history.addResults(content);
      await transcript.append({ type: "results", turn, content });
    },
    async note(turn, text) {
      history.addNote(text);
      await transcript.append({ type: "note", turn, text });
    },
    result: () => completion.result(),
    async finish({ reason, message }, turns, recovered) {
      const output = completion.result()?.output ?? null;
      await transcript.append({ type: "end", reason, recovered, message, output });
      return { reason, output, recovered, turns, message };
    },
  };
}
