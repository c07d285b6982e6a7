import type { ModelAnswer } from "../model/index.js";
import { admission, stopOf } from "./admission.js";
import { createLimits, type Limits, type Stop } from "./limits.js";
import { openTranscript } from "./transcript.js";
import type { AgentDeps, AgentEnd, AgentSpec } from "./types.js";

/**
 * Runs an agent that has no tools: one question, one structured answer, no loop.
 * Contract: expected ends are returned; only faults of the program reject.
 */
export async function answerOnce<Output>(
  spec: AgentSpec<Output>,
  deps: AgentDeps,
  signal: AbortSignal,
): Promise<AgentEnd<Output>> {
  const { system, task, attribution } = spec;
  const limits = createLimits(spec, deps, signal);
  const transcript = await openTranscript(spec.transcript, deps.clock, 0);
  const finish = async (stop: Stop, turns: number, output: Output | null): Promise<AgentEnd<Output>> => {
    await transcript.append({ type: "end", ...stop, recovered: false, output });
    return { ...stop, turns, output, recovered: false };
  };
  try {
    const { agent, phase, task: taskId } = attribution;
    await transcript.append({ type: "start", agent, phase, taskId, system, task, tools: [] });
    const stop = limits.beforeTurn(1);
    if (stop !== null) return await finish(stop, 0, null);
    deps.onEvent({ type: "turn", turn: 1, maxTurns: 1 });
    const answer = await ask(spec, deps, limits);
    if ("reason" in answer) return await finish(answer, 1, null);
    const { output, problem, model, stopReason, usage, costNanoUsd } = answer;
    const text = problem ?? JSON.stringify(output);
    const content = [{ type: "text" as const, text }];
    await transcript.append({
      type: "answer",
      turn: 1,
      content,
      model,
      stopReason,
      usage,
      costNanoUsd,
      problems: {},
    });
    if (problem === null) return await finish({ reason: "GOAL", message: "" }, 1, output);
    const reason = stopReason === "refusal" ? "REFUSED" : "NO_COMPLETE_TASK";
    return await finish({ reason, message: `${model} gave no usable answer: ${problem}` }, 1, null);
  } finally {
    limits.release();
  }
}

async function ask<Output>(
  { tier, system, task, output, maxOutputTokens, attribution }: AgentSpec<Output>,
  deps: AgentDeps,
  limits: Limits,
): Promise<ModelAnswer<Output> | Stop> {
  const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: task }] }];
  try {
    const request = { tier, system, messages, maxOutputTokens, attribution, admit: admission(deps, "work") };
    return await deps.model.answer(request, output, limits.signal);
  } catch (error) {
    const interrupted = limits.interrupted();
    if (interrupted !== null) return interrupted;
    return stopOf(error);
  }
}
