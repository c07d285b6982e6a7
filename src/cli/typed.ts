import { readFile } from "node:fs/promises";
import type { z } from "zod";
import { AccrueError, messageOf } from "../shared/index.js";

/** What a person typed, without the blanks around it; nothing but blanks is a mistake. */
export function worded(text: string): string {
  if (text.trim()) return text.trim();
  throw new AccrueError("INPUT_INVALID", "The text is empty: write what is wanted after --.");
}

/** A file that a person named. */
export async function readNamed(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new AccrueError("INPUT_INVALID", `${file} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

/** What is asked, in the keys of a command. Throws `INPUT_INVALID` with the place and the key that is wrong. */
export function readWish<T>(schema: z.ZodType<T>, wish: unknown, place: string): T {
  const read = schema.safeParse(wish);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.join(".") || "its keys";
  throw new AccrueError("INPUT_INVALID", `${place}: ${where}: ${issue?.message ?? "not valid"}. Correct it.`);
}
