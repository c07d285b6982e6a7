import { AccrueError, messageOf } from "../shared/index.js";
import { EventSchema } from "./schema.js";
import { isAllowed, TRANSITIONS } from "./transitions.js";
import type { CostEvent, RequirementEvent, StateEvent } from "./types.js";

const FOLDER = "requirements/events";

/** An event file that cannot be read, and why. */
export interface EventProblem {
  file: string;
  message: string;
}

/** Makes the event of a change of state; throws `REQUIREMENT_TRANSITION` when the table does not allow it. */
export function stateEvent(event: Omit<StateEvent, "v" | "type">): StateEvent {
  const { id, req, from, to, run, actor, at, evidence } = event;
  if (!isAllowed(from, to)) {
    const allowed = from === null ? ["opened"] : TRANSITIONS[from];
    throw new AccrueError(
      "REQUIREMENT_TRANSITION",
      `${req} cannot go from ${from ?? "nothing"} to ${to}: from there it can become ${allowed.join(", ")}.`,
    );
  }
  if (to === "completed" && !evidence?.trim()) {
    throw new AccrueError(
      "REQUIREMENT_TRANSITION",
      `${req} cannot be completed without evidence: name what shows that each acceptance criterion holds.`,
    );
  }
  const made: StateEvent = { v: 1, id, req, type: "state", from, to, run, actor, at };
  return evidence === undefined ? made : { ...made, evidence };
}

/** Makes the event that says what one run cost. */
export function costEvent(event: Omit<CostEvent, "v" | "type">): CostEvent {
  const { id, req, run, actor, at, rows } = event;
  return { v: 1, id, req, type: "cost", run, actor, at, rows };
}

/** Where an event's file lies; the path never moves. */
export function eventPath(event: Pick<RequirementEvent, "req" | "id" | "type">): string {
  return `${FOLDER}/${event.req}/${event.id}-${event.type}.json`;
}

/** The text of an event's file. */
export function formatEvent(event: RequirementEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/**
 * Reads the events of a requirement in the order they happened.
 * Contract: never throws; a broken file is named and left out.
 */
export function parseEvents(
  tree: ReadonlyMap<string, string>,
  requirement: string,
): { events: RequirementEvent[]; problems: EventProblem[] } {
  const events: RequirementEvent[] = [];
  const problems: EventProblem[] = [];
  const files = [...tree].filter(
    ([path]) => path.startsWith(`${FOLDER}/${requirement}/`) && path.endsWith(".json"),
  );
  for (const [file, text] of files.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { event, reason } = parseEvent(text);
    if (!event) problems.push({ file, message: `${file} is no event (${reason}): restore it from history.` });
    else if (eventPath(event) === file) events.push(event);
    else problems.push({ file, message: `${file} holds the event of ${eventPath(event)}: move it there.` });
  }
  return { events: events.sort((a, b) => (a.id < b.id ? -1 : 1)), problems };
}

/** The ids of all requirements that have events in a tree. */
export function requirementsWithEvents(tree: ReadonlyMap<string, string>): Set<string> {
  const ids = [...tree.keys()].flatMap(
    (path) => /^requirements\/events\/([^/]+)\/[^/]+\.json$/.exec(path)?.[1] ?? [],
  );
  return new Set(ids);
}

function parseEvent(text: string): { event: RequirementEvent | null; reason: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { event: null, reason: messageOf(error) };
  }
  const parsed = EventSchema.safeParse(json);
  if (parsed.success) return { event: parsed.data, reason: "" };
  const reasons = parsed.error.issues.map((issue) => `${issue.path.join(".") || "file"}: ${issue.message}`);
  return { event: null, reason: reasons.join("; ") };
}
