import type { Conversation } from "./conversation.js";
import type { Match } from "./scenario.js";

function missing(text: string, wanted: readonly string[] = []): string | undefined {
  return wanted.find((part) => !text.includes(part));
}

function present(text: string, unwanted: readonly string[] = []): string | undefined {
  return unwanted.find((part) => text.includes(part));
}

/** Why a request does not fit, in words for the person who wrote the scenario; null when it fits. */
export function mismatch(match: Match, conversation: Conversation): string | null {
  const { model, tools, system, task, seen } = conversation;
  const tool = match.tools?.find((name) => !tools.includes(name));
  const failures: [string, string | undefined][] = [
    ["model", match.model === undefined || match.model === model ? undefined : match.model],
    ["tools", tool],
    ["systemContains", missing(system, match.systemContains)],
    ["taskContains", missing(task, match.taskContains)],
    ["taskNotContains", present(task, match.taskNotContains)],
    ["taskMatches", match.taskMatches?.test(task) === false ? match.taskMatches.source : undefined],
    ["seen", missing(seen, match.seen)],
    ["notSeen", present(seen, match.notSeen)],
    ["seenMatches", match.seenMatches?.test(seen) === false ? match.seenMatches.source : undefined],
  ];
  const failed = failures.find(([, value]) => value !== undefined);
  return failed === undefined ? null : `${failed[0]} "${failed[1]}" does not hold`;
}
