import type { CodeMap } from "../../codemap/index.js";
import { AccrueError } from "../../shared/index.js";
import type { ToolContext } from "../types.js";

/** The workspace's code map as it is now. Throws where there is none, and says what to use instead. */
export async function openMap({ map }: ToolContext, signal: AbortSignal): Promise<CodeMap> {
  if (map !== null) return map(signal);
  throw new AccrueError("INPUT_INVALID", "There is no code map of this workspace. Use search instead.");
}

/** The line that says how much of a list was left out; none when all of it is shown. */
export function moreLine(truncated: number): string[] {
  return truncated > 0 ? [`(${truncated} more: raise limit, or name a kind, file or folder)`] : [];
}
