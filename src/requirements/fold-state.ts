import { isAllowed, isInterruption, phaseOf } from "./transitions.js";
import type { Phase, RequirementEvent, State, StateEvent } from "./types.js";

/** Where a requirement stands after its events. */
export interface FoldedState {
  state: State | "contested";
  /** ISO 8601 time of the event that led here; empty without events. */
  since: string;
  /** The phase that work stands in, also while it is paused or blocked. */
  phase: Phase;
  problems: string[];
}

/**
 * Works out the state from the events, in the order of their ids. Two events that leave the same state for different ones
 * make it `contested`, until a later event brings both to one state.
 * Contract: never throws; an event that does not fit is named and left out.
 */
export function foldState(events: readonly RequirementEvent[]): FoldedState {
  const problems: string[] = [];
  // More than one only while it is contested: two workers each went on from what they saw.
  const heads = new Set<State | null>([null]);
  const left = new Map<State | null, StateEvent>();
  let since = "";
  let phase: Phase = "requirement";
  const states = events.filter((event) => event.type === "state");
  for (const event of states.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const { id, from, to } = event;
    const earlier = left.get(from);
    if (!isAllowed(from, to)) {
      problems.push(
        `Event ${id} goes from ${from ?? "nothing"} to ${to}, which is not allowed: it is left out.`,
      );
      continue;
    }
    if (!heads.has(from) && !earlier) {
      problems.push(
        `Event ${id} leaves ${from ?? "nothing"}, where the requirement never was: it is left out.`,
      );
      continue;
    }
    if (!heads.delete(from) && !heads.has(to)) {
      problems.push(
        `Events ${earlier?.id ?? ""} and ${id} both leave ${from ?? "nothing"}: for ${earlier?.to ?? ""} and for ${to}.`,
      );
    }
    heads.add(to);
    left.set(from, event);
    since = event.at;
    if (!isInterruption(to)) phase = phaseOf(to);
  }
  const [only] = heads;
  if (heads.size > 1) return { state: "contested", since, phase, problems };
  if (!only) problems.push("There is no event that opens the requirement.");
  return { state: only ?? "opened", since, phase, problems };
}
