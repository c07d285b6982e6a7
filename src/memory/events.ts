import { z } from "zod";
import { AccrueError } from "../shared/index.js";
import type { MemoryEvent } from "./types.js";

const FOLDER = "context/events/";
const RUN = /^\w[\w-]{0,79}$/;
const LINE_SHOWN = 60;

const head = { v: z.literal(1), memory: z.string().min(1), run: z.string().min(1), at: z.iso.datetime() };
/** One line of an events file; keys that a later version adds are left alone. */
const Line = z.discriminatedUnion("kind", [
  z.object({ ...head, kind: z.enum(["cited", "changed"]) }),
  z.object({ ...head, kind: z.literal("seen"), text: z.string() }),
]);

/** What is wrong in an events file, at its line. */
export interface EventProblem {
  file: string;
  line: number;
  code: "event-line";
  message: string;
}

/** Where a run's events lie: a file of its own, so that no two runs ever write the same one. */
export function eventsPath(run: string, at: string): string {
  const month = /^\d{4}-\d{2}/.exec(at)?.[0];
  if (RUN.test(run) && month !== undefined) return `${FOLDER}${month}/${run}.jsonl`;
  throw new AccrueError(
    "INPUT_INVALID",
    `No events file can be named after run "${run}" at "${at}": a run has letters, digits, - and _, a time is ISO 8601.`,
  );
}

/** True for the path of an events file. */
export function isEventsPath(path: string): boolean {
  return path.startsWith(FOLDER) && path.endsWith(".jsonl");
}

/** Events as lines to append. */
export function formatEvents(events: readonly MemoryEvent[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}

/** Reads an events file. Contract: never throws; a line that cannot be read is reported, the rest counts. */
export function parseEvents(file: string, text: string): { events: MemoryEvent[]; problems: EventProblem[] } {
  const events: MemoryEvent[] = [];
  const problems: EventProblem[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const read = Line.safeParse(jsonOf(line));
    if (read.success) events.push(read.data);
    else {
      const message = `This is no event of a memory: ${line.slice(0, LINE_SHOWN)}. Delete the line, or restore it from history.`;
      problems.push({ file, line: index + 1, code: "event-line", message });
    }
  }
  return { events, problems };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
