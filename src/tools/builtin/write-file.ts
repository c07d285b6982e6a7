import { z } from "zod";
import { AccrueError } from "../../shared/index.js";
import { defineTool } from "../define-tool.js";
import type { ToolContext } from "../types.js";
import { afterWrite, FileExpectation } from "./expectation.js";

/** Whole files are replaced only by somebody who knows what is lost. */
function assertKnown(path: string, present: Buffer, { seen }: ToolContext): void {
  const known = present.length === 0 ? "current" : seen.compare(path, present);
  if (known === "current") return;
  const why = known === "never" ? "and you have not read it" : "and changed since you last read it";
  throw new AccrueError(
    "INPUT_INVALID",
    `${path} exists ${why}. Read it first; to change a part of it use edit_file.`,
  );
}

/** Makes a new file, or replaces a whole one. */
export const writeFileTool = defineTool({
  name: "write_file",
  description:
    "Writes a whole text file; an existing one must have been read before. To change a part of a file use edit_file.",
  kind: "write",
  input: z.strictObject({
    path: z.string().min(1).describe("Relative to the workspace; folders are made"),
    content: z.string(),
    expect: FileExpectation.optional(),
  }),
  async run({ path, content, expect }, context, signal) {
    const present = await context.files.read(path);
    if (present !== null) assertKnown(path, present, context);
    await context.files.write(path, content);
    const said = `${present === null ? "Created" : "Replaced"} ${path} (${Buffer.byteLength(content)} bytes).`;
    return afterWrite(said, { path, expect }, context, signal);
  },
});
