import { AccrueError } from "../../shared/index.js";
import type { ToolContext } from "../types.js";

/** Reads a text file of the workspace as bytes; refuses what is missing or binary with a message that a model can act on. */
export async function readTextFile(path: string, context: ToolContext): Promise<Buffer> {
  const content = await context.files.read(path);
  if (content === null) {
    throw new AccrueError("INPUT_INVALID", `There is no file ${path}. Look with list_files or search.`);
  }
  return assertText(content, path);
}

/** Gives the bytes back when they are text. */
export function assertText(content: Buffer, path: string): Buffer {
  if (!content.includes(0)) return content;
  throw new AccrueError("INPUT_INVALID", `${path} is a binary file. Only text can be read and edited.`);
}
