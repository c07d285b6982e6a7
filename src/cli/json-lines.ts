import type { z } from "zod";
import { AccrueError } from "../shared/index.js";
import { readWish } from "./typed.js";

/** One line of a batch. */
export interface BatchLine<T> {
  value: T;
  /** The line's number, counted from 1, for one that has no id. */
  number: number;
}

/** Reads a batch: one JSON object a line. Throws `INPUT_INVALID` with the line that cannot be read. */
export function readJsonLines<T>(text: string, file: string, schema: z.ZodType<T>): BatchLine<T>[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const place = `${file}:${index + 1}`;
    return [{ value: readWish(schema, parse(line, place), place), number: index + 1 }];
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
