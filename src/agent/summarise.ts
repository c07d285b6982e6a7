import { estimateTokens, isAccrueError } from "../shared/index.js";
import { admission } from "./admission.js";
import type { Conversation, Entry } from "./conversation.js";
import { historyText } from "./history-text.js";
import type { AgentDeps, AgentSpec } from "./types.js";

/** The tier whose model is cheapest. */
const TIER = "executor";
const MAX_SUMMARY_TOKENS = 4_000;
/** Estimates of tokens are rough: so much of a window is left free. */
const MARGIN = 0.1;

/** A summary, or why there is none. */
export type Summary = { text: string } | { problem: string };

function roomFor(spec: AgentSpec<unknown>, { model, texts }: AgentDeps): number {
  const context = model.window(TIER)?.context ?? spec.compression.atTokens;
  return context * (1 - MARGIN) - MAX_SUMMARY_TOKENS - estimateTokens(texts.compress);
}

/** Has the cheapest model sum up entries that are going to be dropped. Rejects when the signal fires. */
export async function summarise(
  of: { conversation: Conversation; entries: readonly Entry[] },
  spec: AgentSpec<unknown>,
  deps: AgentDeps,
  signal: AbortSignal,
): Promise<Summary> {
  const { texts } = deps;
  const text = historyText(of.conversation, of.entries, roomFor(spec, deps), texts["left-out"]);
  if (text === null) return { problem: "Not even the newest message fits into a request for a summary." };
  try {
    const { content, calls, stopReason } = await deps.model.ask(
      {
        tier: TIER,
        system: texts.compress,
        tools: [],
        messages: [{ role: "user", content: [{ type: "text", text }] }],
        maxOutputTokens: MAX_SUMMARY_TOKENS,
        attribution: { ...spec.attribution, callType: "compress" },
        admit: admission(deps, "work"),
      },
      signal,
    );
    if (stopReason === "refusal") return { problem: "The model refused to sum up." };
    if (calls.length > 0) return { problem: "The model called a tool instead of summing up." };
    const summary = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
    return summary.trim() === "" ? { problem: "The model gave no summary." } : { text: summary.trim() };
  } catch (error) {
    if (signal.aborted || !isAccrueError(error)) throw error;
    return { problem: error.message };
  }
}
