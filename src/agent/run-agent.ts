import type { ModelTurn } from "../model/index.js";
import { openAgentRun, refusalOf, type AgentRun } from "./agent-run.js";
import { COMPLETE_TASK } from "./completion.js";
import { linkSignals } from "../shared/index.js";
import { createLimits, type Limits, type Stop } from "./limits.js";
import { createLoopGuard, type LoopGuard } from "./loop-guard.js";
import { NOTICES } from "./notices.js";
import type { AgentDeps, AgentEnd, AgentSpec } from "./types.js";

const GRACE_MS = 60_000;
const MAX_PAUSES = 5;
const MAX_NUDGES = 1;

/** What the loop remembers from turn to turn. */
interface Course {
  /** For the tools: fires when the run is stopped or the agent's time is up. */
  signal: AbortSignal;
  pauses: number;
  nudges: number;
  guard: LoopGuard;
}

function isStop(asked: ModelTurn | Stop): asked is Stop {
  return "reason" in asked;
}

/** Ends that an answer brings by itself; nothing of such an answer is kept or run. */
function endOf({ stopReason, model }: ModelTurn): Stop | null {
  if (stopReason === "refusal") return { reason: "REFUSED", message: `${model} refused to answer.` };
  if (stopReason === "model_context_window_exceeded") {
    return { reason: "OVERFLOW", message: `The conversation does not fit into ${model} any more.` };
  }
  return null;
}

/** An answer without calls: a pause of the provider is continued, anything else gets one nudge. */
async function takeTextOnly<Output>(
  run: AgentRun<Output>,
  course: Course,
  turn: number,
  answer: ModelTurn,
): Promise<Stop | null> {
  if (answer.stopReason === "pause_turn") {
    if (++course.pauses <= MAX_PAUSES) return null;
    return { reason: "ERROR", message: `${answer.model} paused ${course.pauses} times in a row.` };
  }
  if (++course.nudges > MAX_NUDGES) {
    return { reason: "NO_COMPLETE_TASK", message: "The agent stopped without delivering a result." };
  }
  await run.note(turn, answer.stopReason === "max_tokens" ? NOTICES.cutOff : NOTICES.nudge);
  return null;
}

/** An answer with calls: each gets its result, then the loop guard has its say. */
async function takeCalls<Output>(
  run: AgentRun<Output>,
  course: Course,
  turn: number,
  answer: ModelTurn,
): Promise<Stop | null> {
  course.pauses = 0;
  course.nudges = 0;
  await run.answerCalls(turn, answer, refusalOf(answer), course.signal);
  if (run.result() !== null) return { reason: "GOAL", message: "" };
  const verdict = course.guard.observe(answer.calls);
  if (verdict === "stop")
    return { reason: "LOOP", message: "The agent repeated the same calls again and again." };
  if (verdict === "warn") await run.note(turn, NOTICES.repeating);
  return null;
}

/** The last chance of an agent whose time or turns are up: one turn for `complete_task`, which is never a success. */
async function takeGrace<Output>(
  run: AgentRun<Output>,
  stop: Stop,
  turns: number,
  signal: AbortSignal,
): Promise<AgentEnd<Output>> {
  const turn = turns + 1;
  await run.note(turn, stop.reason === "TIMEOUT" ? NOTICES.graceTime : NOTICES.graceTurns);
  const grace = linkSignals([signal], GRACE_MS);
  try {
    return await askOnce(run, stop, { turns, turn, signal, graceSignal: grace.signal });
  } finally {
    grace.release();
  }
}

async function askOnce<Output>(
  run: AgentRun<Output>,
  stop: Stop,
  at: { turns: number; turn: number; signal: AbortSignal; graceSignal: AbortSignal },
): Promise<AgentEnd<Output>> {
  const { turns, turn, signal, graceSignal } = at;
  const answer = await run.ask(graceSignal);
  if (signal.aborted) return run.finish({ reason: "ABORTED", message: "The run was stopped." }, turns, false);
  if (isStop(answer) || endOf(answer) !== null) return run.finish(stop, turns, false);
  await run.accept(turn, answer);
  const isFinal = answer.calls.length === 1 && answer.calls[0]?.name === COMPLETE_TASK;
  const refusal = isFinal ? refusalOf(answer) : NOTICES.notExecutedGrace;
  if (answer.calls.length > 0) await run.answerCalls(turn, answer, refusal, graceSignal);
  return run.finish(stop, turns, run.result() !== null);
}

/**
 * Runs one agent to its end: asks the model, runs the tools it calls, gives the results back, until `complete_task` delivers
 * what the spec asks for or a limit is reached. Contract: expected ends are returned; only faults of the program reject.
 */
export async function runAgent<Output>(
  spec: AgentSpec<Output>,
  deps: AgentDeps,
  signal: AbortSignal,
): Promise<AgentEnd<Output>> {
  const limits = createLimits(spec, deps, signal);
  try {
    return await takeTurns(await openAgentRun(spec, deps), limits, { spec, deps, signal });
  } finally {
    limits.release();
  }
}

async function takeTurns<Output>(
  run: AgentRun<Output>,
  limits: Limits,
  { spec, deps, signal }: { spec: AgentSpec<Output>; deps: AgentDeps; signal: AbortSignal },
): Promise<AgentEnd<Output>> {
  const course: Course = { signal: limits.signal, pauses: 0, nudges: 0, guard: createLoopGuard() };

  for (let turn = 1; ; turn++) {
    const limit = limits.beforeTurn(turn);
    if (limit?.reason === "TIMEOUT" || limit?.reason === "MAX_TURNS") {
      return takeGrace(run, limit, turn - 1, signal);
    }
    if (limit !== null) return run.finish(limit, turn - 1, false);

    deps.onEvent({ type: "turn", turn, maxTurns: spec.maxTurns });
    const answer = await run.ask(limits.signal);
    const interrupted = limits.interrupted();
    if (isStop(answer)) {
      if (interrupted?.reason === "TIMEOUT") return takeGrace(run, interrupted, turn, signal);
      return run.finish(interrupted ?? answer, turn, false);
    }
    const end = endOf(answer);
    if (end !== null) return run.finish(end, turn, false);

    await run.accept(turn, answer);
    const take = answer.calls.length > 0 ? takeCalls : takeTextOnly;
    const stop = await take(run, course, turn, answer);
    if (stop !== null) return run.finish(stop, turn, false);
  }
}
