import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { clipMiddle, isAccrueError, linkSignals, sha256 } from "../shared/index.js";
import type { ToolCall, ToolResultBlock } from "../model/index.js";
import { ARTEFACT_PREFIX } from "./artefact.js";
import type { Tool, ToolContext } from "./types.js";

const MAX_OUTPUT_CHARS = 40_000;
const HEAD_SHARE = 0.2;
const NOT_EXECUTED = "Not executed: the run was stopped or the agent's time is up.";

/** Rejects as soon as the signal fires, also when the work does not listen to it. */
async function unlessAborted(work: Promise<string>, signal: AbortSignal): Promise<string> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Cuts a long output and keeps the whole of it in a file that `read_file` can read. */
async function fit(output: string, call: ToolCall, context: ToolContext): Promise<string> {
  if (output.trim() === "") return "(no output)";
  if (output.length <= MAX_OUTPUT_CHARS) return output;
  const file = `${call.name}-${sha256(call.id).slice(0, 12)}.txt`;
  await mkdir(context.artefacts, { recursive: true });
  await writeFile(join(context.artefacts, file), output);
  const notice = `\n(${output.length} characters, cut. The full text: read_file ${ARTEFACT_PREFIX}${file})`;
  return clipMiddle(output, MAX_OUTPUT_CHARS, HEAD_SHARE) + notice;
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
  if (tool === undefined) {
    return refused(`There is no tool "${call.name}". There are: ${[...tools.keys()].join(", ")}.`);
  }
  if (call.problem !== null) return refused(call.problem);
  const parsed = tool.input.safeParse(call.input);
  if (!parsed.success) return refused(`Invalid arguments:\n${z.prettifyError(parsed.error)}`);

  const either = linkSignals([signal], tool.timeoutMs);
  try {
    const output = await unlessAborted(tool.run(parsed.data, context, either.signal), either.signal);
    return result(await fit(output, call, context));
  } catch (error) {
    if (signal.aborted) return refused("Cancelled: the run was stopped or the agent's time is up.");
    if (either.timedOut()) return refused(`Timed out after ${tool.timeoutMs / 1000} s.`);
    if (isAccrueError(error)) return refused(await fit(error.message, call, context));
    throw error;
  } finally {
    either.release();
  }
}
