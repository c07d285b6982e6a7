import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { AccrueError, sha256 } from "../shared/index.js";
import type { ToolContext } from "./types.js";

/** How a tool result names the file that holds its full text. */
export const ARTEFACT_PREFIX = "artefact:";

/** Reads the full text of an output that was cut; these files lie outside the workspace. */
export async function readArtefact(path: string, context: ToolContext): Promise<Buffer> {
  const name = basename(path.slice(ARTEFACT_PREFIX.length));
  try {
    return await readFile(join(context.artefacts, name));
  } catch (cause) {
    throw new AccrueError("INPUT_INVALID", `There is no ${path}. Use the name that a cut result gave.`, {
      cause,
    });
  }
}

/** Keeps a text in a file outside the workspace; gives the name that `read_file` takes. The same text lies there once. */
export async function writeArtefact(tool: string, text: string, context: ToolContext): Promise<string> {
  const file = `${tool}-${sha256(text).slice(0, 12)}.txt`;
  await mkdir(context.artefacts, { recursive: true });
  await writeFile(join(context.artefacts, file), text);
  return ARTEFACT_PREFIX + file;
}
