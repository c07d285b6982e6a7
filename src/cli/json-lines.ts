import type { z } from "zod";
import { AccrueError } from "../shared/index.js";

/** One line of a batch, with where it stands. */
export interface BatchLine<T> {
  value: T;
  /** `file.jsonl:3`. */
  place: string;
  /** The line's number, counted from 1, for one that has no id. */
  number: number;
}

/** Reads a batch: one JSON object a line. Throws `INPUT_INVALID` with the line that cannot be read. */
export function readJsonLines<T>(text: string, file: string, schema: z.ZodType<T>): BatchLine<T>[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const place = `${file}:${index + 1}`;
    const read = schema.safeParse(parse(line, place));
    if (read.success) return [{ value: read.data, place, number: index + 1 }];
    const [issue] = read.error.issues;
    const where = issue?.path.join(".") || "its keys";
    throw new AccrueError(
      "INPUT_INVALID",
      `${place}: ${where}: ${issue?.message ?? "not valid"}. Correct it.`,
    );
  });
}

function parse(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    const cure = 'write one JSON object a line, such as {"id":"1","text":"…"}';
    throw new AccrueError("INPUT_INVALID", `${place} is no JSON: ${cure}.`, { cause: error });
  }
}
