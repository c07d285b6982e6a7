import type { ModelTurn, ToolCall, ToolResultBlock } from "../model/index.js";
import type { Registry, ToolContext } from "../tools/index.js";
import { createAsker, type Asker } from "./asker.js";
import { createCompletion, type Completion } from "./completion.js";
import type { Limits, Stop } from "./limits.js";
import { openRecord } from "./open-record.js";
import type { BrokenOff } from "./resume.js";
import type { AgentDeps, AgentEnd, AgentSpec } from "./types.js";

const SUMMARY_LENGTH = 80;

/** What the loop does with one agent; all of it is written to the transcript. */
export interface AgentRun<Output> {
  /** What an earlier process left of this job. */
  earlier: BrokenOff | null;
  ask: Asker;
  /** Keeps an answer in the history. */
  accept(turn: number, answer: ModelTurn): Promise<void>;
  /** Runs the calls of a turn, or refuses all of them for a reason; one result for each, in their order. */
  answerCalls(turn: number, calls: readonly ToolCall[], how: Answering): Promise<readonly ToolResultBlock[]>;
  /** A word of the loop to the model; with `stop` it begins the agent's last chance. */
  note(turn: number, text: string, stop?: Stop): Promise<void>;
  /** What `complete_task` has delivered. */
  result(): { output: Output } | null;
  finish(stop: Stop, turns: number, recovered: boolean): Promise<AgentEnd<Output>>;
}

/** Why calls are not run, or null, and what ends them when they are. */
export interface Answering {
  refusal: string | null;
  signal: AbortSignal;
}

function refuseAll(calls: readonly ToolCall[], content: string): ToolResultBlock[] {
  return calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content, is_error: true }));
}

function summaryOf({ input }: ToolCall): string {
  const value = Object.values(input).find((item) => typeof item === "string") ?? "";
  return value.split("\n", 1).join("").slice(0, SUMMARY_LENGTH);
}

function problemsOf(calls: readonly ToolCall[]): Record<string, string> {
  return Object.fromEntries(calls.flatMap(({ id, problem }) => (problem === null ? [] : [[id, problem]])));
}

function registryOf(spec: AgentSpec<unknown>, deps: AgentDeps, completion: Completion<unknown>): Registry {
  const allowed = deps.registry.filter(spec.tools);
  return (spec.isSubagent ? allowed.withoutAgents() : allowed).with(completion.tool);
}

/** The agent's time stands still while a tool waits for a person. */
function contextOf({ context }: AgentSpec<unknown>, limits: Limits): ToolContext {
  const { askPerson } = context;
  if (askPerson === null) return context;
  return {
    ...context,
    askPerson: (question, signal) => limits.waitForPerson(() => askPerson(question, signal)),
  };
}

/** Opens the history, the tools and the transcript of one agent. */
export async function openAgentRun<Output>(
  spec: AgentSpec<Output>,
  deps: AgentDeps,
  limits: Limits,
): Promise<AgentRun<Output>> {
  const completion = createCompletion(spec.output);
  const registry = registryOf(spec, deps, completion);
  const tools = registry.specs();
  const context = contextOf(spec, limits);
  const record = await openRecord(spec, deps, tools);
  if (record.earlier?.delivered !== undefined) completion.restore(record.earlier.delivered);

  return {
    earlier: record.earlier,
    ask: createAsker(record, tools, spec, deps),
    async accept(turn, { content, calls, stopReason, usage, model, costNanoUsd }) {
      const problems = problemsOf(calls);
      await record.append({ type: "answer", turn, content, stopReason, usage, model, costNanoUsd, problems });
    },
    async answerCalls(turn, calls, { refusal, signal }) {
      for (const call of calls) {
        deps.onEvent({ type: "tool", turn, name: call.name, summary: summaryOf(call) });
      }
      const content =
        refusal === null ? await registry.execute(calls, context, signal) : refuseAll(calls, refusal);
      for (const [at, { name }] of calls.entries()) {
        deps.onEvent({ type: "tool-result", turn, name, isError: content[at]?.is_error === true });
      }
      await record.append({ type: "results", turn, content });
      return content;
    },
    async note(turn, text, stop) {
      await record.append({ type: "note", turn, text, stop: stop ?? null });
    },
    result: () => completion.result(),
    async finish({ reason, message }, turns, recovered) {
      const output = completion.result()?.output ?? null;
      await record.append({ type: "end", reason, recovered, message, output });
      return { reason, output, recovered, turns, message };
    },
  };
}
