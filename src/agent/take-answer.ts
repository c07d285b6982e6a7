import type { ModelTurn } from "../model/index.js";
import type { AgentRun } from "./agent-run.js";
import { COMPLETE_TASK } from "./completion.js";
import type { Stop } from "./limits.js";
import { createLoopGuard, type LoopGuard } from "./loop-guard.js";
import { answerOf, type BrokenOff } from "./resume.js";
import type { Notices } from "./texts.js";

const MAX_PAUSES = 5;
const MAX_NUDGES = 1;

/** What the loop remembers from turn to turn. */
export interface Course {
  texts: Notices;
  /** For the tools: fires when the run is stopped or the agent's time is up. */
  signal: AbortSignal;
  /** How often in a row the provider paused, and the agent said something without doing anything. */
  pauses: number;
  nudges: number;
  guard: LoopGuard;
}

function count(course: Course, { stopReason, calls }: ModelTurn): void {
  if (calls.length > 0) course.pauses = course.nudges = 0;
  else if (stopReason === "pause_turn") course.pauses += 1;
  else course.nudges += 1;
}

/** Begins where an earlier process left off. */
export function createCourse(earlier: BrokenOff | null, texts: Notices, signal: AbortSignal): Course {
  const course: Course = { texts, signal, pauses: 0, nudges: 0, guard: createLoopGuard() };
  let answer: ModelTurn | null = null;
  for (const line of earlier?.lines ?? []) {
    if (line.type === "results" && answer !== null) course.guard.observe(answer.calls, line.content);
    if (line.type !== "answer") continue;
    if (answer !== null) count(course, answer);
    answer = answerOf(line);
  }
  if (answer !== null && earlier?.pending === null) count(course, answer);
  return course;
}

/** Why these calls cannot be run in this turn; null when they can. */
export function refusalOf({ stopReason, calls }: ModelTurn, texts: Notices): string | null {
  // A call that was cut off can be valid JSON all the same, and would do half of what was meant.
  if (stopReason === "max_tokens") return texts["not-executed-cut-off"];
  const isFinal = calls.some(({ name }) => name === COMPLETE_TASK);
  return isFinal && calls.length > 1 ? texts["not-executed-sibling"] : null;
}

/** An answer without calls: a pause of the provider is continued, anything else gets one nudge. */
async function takeTextOnly(
  run: AgentRun<unknown>,
  { pauses, nudges, texts }: Course,
  turn: number,
  { stopReason, model }: ModelTurn,
): Promise<Stop | null> {
  if (stopReason === "pause_turn") {
    if (pauses <= MAX_PAUSES) return null;
    return { reason: "ERROR", message: `${model} paused ${pauses} times in a row.` };
  }
  if (nudges > MAX_NUDGES) {
    return { reason: "NO_COMPLETE_TASK", message: "The agent stopped without delivering a result." };
  }
  await run.note(turn, stopReason === "max_tokens" ? texts["cut-off"] : texts["nudge"]);
  return null;
}

/** Acts on an answer: its calls get their results, then the loop guard has its say. `refusal`: why no call is run. */
export async function takeAnswer(
  run: AgentRun<unknown>,
  course: Course,
  turn: number,
  { answer, refusal }: { answer: ModelTurn; refusal: string | null },
): Promise<Stop | null> {
  count(course, answer);
  const { calls } = answer;
  if (calls.length === 0) return takeTextOnly(run, course, turn, answer);
  const results = await run.answerCalls(turn, calls, { refusal, signal: course.signal });
  if (run.result() !== null) return { reason: "GOAL", message: "" };
  const repetition = course.guard.observe(calls, results);
  if (repetition === null) return null;
  const { notice, what, isFinal } = repetition;
  if (isFinal) return { reason: "LOOP", message: `The agent kept repeating: ${what}` };
  await run.note(turn, `${course.texts[notice]}\n${what}`);
  return null;
}
