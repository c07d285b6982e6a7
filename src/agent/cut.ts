import { tokensOf, type Entry } from "./conversation.js";

/** A user message of its own: what was said after an answer without calls. A note after results belongs to them. */
function isUserMessage(entries: readonly Entry[], at: number): boolean {
  const before = entries[at - 1];
  const hasCalls = before?.content.some(({ type }) => type === "tool_use") === true;
  return entries[at]?.type === "note" && before?.type === "answer" && !hasCalls;
}

/** The beginning of an assistant message. */
function isAnswer(entries: readonly Entry[], at: number): boolean {
  return entries[at]?.type === "answer" && entries[at - 1]?.type !== "answer";
}

/**
 * Where to cut a conversation so that about the newest `keep` of it stays: the index of the first entry that stays, or null
 * when nothing could go. At a user message, or else right before an answer; never between a call and its result. When the
 * newest messages alone are more than that, they stay all the same.
 */
export function findCut(entries: readonly Entry[], keep: number): number | null {
  const sizes = entries.map(tokensOf);
  const kept = sizes.reduce((sum, size) => sum + size, 0) * keep;
  let user: number | null = null;
  let answer: number | null = null;
  let nearest: number | null = null;
  let tokens = 0;
  for (let at = entries.length - 1; at > 0; at--) {
    tokens += sizes[at] ?? 0;
    const [isUser, isStart] = [isUserMessage(entries, at), isAnswer(entries, at)];
    if (tokens > kept) {
      if (isUser || isStart) nearest ??= at;
      continue;
    }
    if (isStart) answer = at;
    // A message near the very end would keep next to nothing.
    if (isUser && tokens >= kept / 2) user = at;
  }
  return user ?? answer ?? nearest;
}
