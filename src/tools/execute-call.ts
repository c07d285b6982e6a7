import { z } from "zod";
import { clipMiddle, closest, isAccrueError, linkSignals } from "../shared/index.js";
import type { ToolCall, ToolResultBlock } from "../model/index.js";
import { writeArtefact } from "./artefact.js";
import { settled } from "./settle.js";
import type { Tool, ToolContext } from "./types.js";

const MAX_OUTPUT_CHARS = 40_000;
const HEAD_SHARE = 0.2;
const NOT_EXECUTED = "Not executed: the run was stopped or the agent's time is up.";

/** Cuts a long output and keeps the whole of it in a file that `read_file` can read. */
async function fit(output: string, call: ToolCall, context: ToolContext): Promise<string> {
  if (output.trim() === "") return "(no output)";
  if (output.length <= MAX_OUTPUT_CHARS) return output;
  const kept = await writeArtefact(call.name, output, context);
  const notice = `\n(${output.length} characters, cut. The full text: read_file ${kept})`;
  return clipMiddle(output, MAX_OUTPUT_CHARS, HEAD_SHARE) + notice;
}

/** Why a call has no result of its own, and what is known of what it did. */
function interruption(tool: Tool, kind: "stopped" | "unknown", isOver: boolean): string {
  const why = isOver
    ? `Timed out after ${tool.timeoutMs / 1000} s.`
    : "Cancelled: the run was stopped or the agent's time is up.";
  if (tool.kind === "read") return why;
  const known =
    kind === "stopped"
      ? "It was stopped and may have done a part of its work:"
      : "It did not stop when told to and may still be at work:";
  return `${why} ${known} look at what is there before you repeat it.`;
}

function unknownTool(name: string, tools: ReadonlyMap<string, Tool>): string {
  const names = [...tools.keys()];
  const near = closest(name, names);
  const hint = near === null ? "" : ` Did you mean "${near}"?`;
  return `There is no tool "${name}".${hint} There are: ${names.join(", ")}.`;
}

/**
 * Runs one call and always gives its result. Contract: rejects only with an error that is nobody's input, such as a fault in a
 * tool.
 */
export async function executeCall(
  call: ToolCall,
  tools: ReadonlyMap<string, Tool>,
  context: ToolContext,
  signal: AbortSignal,
): Promise<ToolResultBlock> {
  const result = (content: string): ToolResultBlock => ({
    type: "tool_result",
    tool_use_id: call.id,
    content,
  });
  const refused = (content: string): ToolResultBlock => ({ ...result(content), is_error: true });

  if (signal.aborted) return refused(NOT_EXECUTED);
  const tool = tools.get(call.name);
  if (tool === undefined) return refused(unknownTool(call.name, tools));
  if (call.problem !== null) return refused(call.problem);
  const parsed = tool.input.safeParse(call.input);
  if (!parsed.success) return refused(`Invalid arguments:\n${z.prettifyError(parsed.error)}`);

  const either = linkSignals([signal], tool.timeoutMs);
  try {
    const end = await settled(() => tool.run(parsed.data, context, either.signal), either.signal);
    if (end.kind === "done") return result(await fit(end.value, call, context));
    if (end.kind !== "failed") return refused(interruption(tool, end.kind, either.timedOut()));
    if (isAccrueError(end.error)) return refused(await fit(end.error.message, call, context));
    throw end.error;
  } finally {
    either.release();
  }
}
