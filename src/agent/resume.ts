import type { Block, ModelTurn, ToolCall } from "../model/index.js";
import { repairTranscript } from "./transcript.js";
import type { LineOf, TranscriptLine } from "./transcript-line.js";

/** A job that broke off. */
export interface BrokenOff {
  lines: readonly TranscriptLine[];
  /** The last answer, when nobody has acted on it. */
  pending: ModelTurn | null;
  /** Why the agent was given its last chance, when it was. */
  stop: LineOf<"note">["stop"];
  /** What `complete_task` was called with, when that was accepted. */
  delivered: unknown;
  turns: number;
}

/** The calls in what a model answered. */
export function callsOf(content: readonly Block[], problems: Readonly<Record<string, string>>): ToolCall[] {
  return content
    .filter((block) => block.type === "tool_use")
    .map(({ id, name, input }) => ({ id, name, input, problem: problems[id] ?? null }));
}

/** An answer as it was before it was written down. */
export function answerOf({
  content,
  stopReason,
  usage,
  model,
  costNanoUsd,
  problems,
}: LineOf<"answer">): ModelTurn {
  return { content, stopReason, usage, model, costNanoUsd, calls: callsOf(content, problems) };
}

/** The lines of the last job of a file, unless it has ended. A stop from outside is no end: the work can go on. */
function openJob(lines: readonly TranscriptLine[]): TranscriptLine[] {
  const job = lines.slice(
    Math.max(
      0,
      lines.findLastIndex(({ type }) => type === "start"),
    ),
  );
  const hasEnded = job.some((line) => line.type === "end" && line.reason !== "ABORTED");
  return hasEnded || job[0]?.type !== "start" ? [] : job;
}

function deliveredBy(lines: readonly TranscriptLine[], tool: string): unknown {
  const answer = lines.findLast((line) => line.type === "answer");
  const results = lines.findLast((line) => line.type === "results");
  if (answer === undefined || results === undefined || results.n < answer.n) return undefined;
  const [call, ...others] = answerOf(answer).calls;
  const isAccepted = call?.name === tool && others.length === 0 && results.content[0]?.is_error !== true;
  return isAccepted ? call.input : undefined;
}

/** Loads what an earlier process left of the same task; null when there is nothing to go on with. */
export async function loadBrokenOff(
  path: string,
  task: string,
  completeTask: string,
): Promise<BrokenOff | null> {
  const lines = openJob(await repairTranscript(path));
  const [start] = lines;
  if (start?.type !== "start" || start.task !== task) return null;
  const answer = lines.findLast((line) => line.type === "answer");
  const isHandled = (line: TranscriptLine) =>
    (line.type === "results" || line.type === "note") && line.n > (answer?.n ?? 0);
  // A last chance that broke off is none any more when the job was taken up again.
  const stop = lines.findLast(
    (line) => line.type === "resumed" || (line.type === "note" && line.stop !== null),
  );
  return {
    lines,
    pending: answer === undefined || lines.some(isHandled) ? null : answerOf(answer),
    stop: stop?.type === "note" ? stop.stop : null,
    delivered: deliveredBy(lines, completeTask),
    turns: answer?.turn ?? 0,
  };
}
