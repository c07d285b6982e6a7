import { linkSignals } from "../shared/index.js";
import { openAgentRun, type AgentRun } from "./agent-run.js";
import { isStop } from "./asker.js";
import { COMPLETE_TASK } from "./completion.js";
import { createLimits, type Limits, type Stop } from "./limits.js";
import { createCourse, refusalOf, takeAnswer, type Course } from "./take-answer.js";
import type { AgentDeps, AgentEnd, AgentSpec } from "./types.js";

const GRACE_MS = 60_000;

/** What a loop works with, besides the run itself. */
interface Setting<Output> {
  spec: AgentSpec<Output>;
  deps: AgentDeps;
  limits: Limits;
  /** Fires when the run is stopped; the limits' own fires also when the agent's time is up. */
  signal: AbortSignal;
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
    const run = await openAgentRun(spec, deps, limits);
    return await takeTurns(run, { spec, deps, limits, signal });
  } finally {
    limits.release();
  }
}

async function takeTurns<Output>(run: AgentRun<Output>, setting: Setting<Output>): Promise<AgentEnd<Output>> {
  const { spec, deps, limits } = setting;
  const { texts } = deps;
  const course = createCourse(run.earlier, texts, limits.signal);
  const turnsBefore = Math.min(run.earlier?.turns ?? 0, spec.maxTurns);
  const broken = await takeUp(run, course);
  if (broken !== null) {
    const recovered = broken.reason !== "GOAL" && run.result() !== null;
    return run.finish(broken, turnsBefore, recovered);
  }

  for (let turn = turnsBefore + 1; ; turn++) {
    const limit = limits.beforeTurn(turn);
    if (limit !== null) return endAtLimit(run, setting, limit, turn - 1);

    deps.onEvent({ type: "turn", turn, maxTurns: spec.maxTurns });
    const answer = await run.ask(turn, limits.signal);
    if (isStop(answer)) {
      const stop = limits.interrupted() ?? answer;
      // What the budget did not let through was no turn.
      return endAtLimit(run, setting, stop, stop.reason === "BUDGET" ? turn - 1 : turn);
    }

    await run.accept(turn, answer);
    const stop = await takeAnswer(run, course, turn, { answer, refusal: refusalOf(answer, texts) });
    if (stop !== null) return run.finish(stop, turn, false);
  }
}

/** Goes on with what an earlier process left: a result that was delivered is the end, and calls that nobody answered are not run again. */
async function takeUp(run: AgentRun<unknown>, course: Course): Promise<Stop | null> {
  const { earlier } = run;
  if (earlier === null) return null;
  if (run.result() !== null) return earlier.stop ?? { reason: "GOAL", message: "" };
  if (earlier.pending === null) return null;
  const left = { answer: earlier.pending, refusal: course.texts["interrupted"] };
  return takeAnswer(run, course, earlier.turns, left);
}

/** Time, turns or the budget for work being used up leaves one last chance, if the budget has something for it. */
function endAtLimit<Output>(
  run: AgentRun<Output>,
  setting: Setting<Output>,
  stop: Stop,
  turns: number,
): Promise<AgentEnd<Output>> {
  const { texts, budget } = setting.deps;
  const notices: Partial<Record<Stop["reason"], string>> = {
    BUDGET: texts["grace-budget"],
    TIMEOUT: texts["grace-time"],
    MAX_TURNS: texts["grace-turns"],
  };
  const notice = notices[stop.reason];
  // Whoever has done nothing yet has nothing to hand over.
  if (notice === undefined || turns === 0 || budget.reached("final") !== null)
    return run.finish(stop, turns, false);
  return takeGrace(run, setting, { stop, turns, notice });
}

/** One turn outside the count, for `complete_task` alone. What it brings is kept, but never a success. */
async function takeGrace<Output>(
  run: AgentRun<Output>,
  { deps, signal }: Setting<Output>,
  { stop, turns, notice }: { stop: Stop; turns: number; notice: string },
): Promise<AgentEnd<Output>> {
  const turn = turns + 1;
  const { texts } = deps;
  await run.note(turn, notice, stop);
  const grace = linkSignals([signal], GRACE_MS);
  try {
    const answer = await run.ask(turn, grace.signal, "final");
    if (signal.aborted) {
      return await run.finish({ reason: "ABORTED", message: "The run was stopped." }, turns, false);
    }
    if (isStop(answer)) return await run.finish(stop, turns, false);
    await run.accept(turn, answer);
    const [call, ...others] = answer.calls;
    const isFinal = call?.name === COMPLETE_TASK && others.length === 0;
    const refusal = isFinal ? refusalOf(answer, texts) : texts["not-executed-grace"];
    if (call) await run.answerCalls(turn, answer.calls, { refusal, signal: grace.signal });
    return await run.finish(stop, turns, run.result() !== null);
  } finally {
    grace.release();
  }
}
