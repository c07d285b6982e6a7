import { z } from "zod";
import { defineTool } from "../define-tool.js";

/** Makes a new file, or replaces a whole one. */
export const writeFileTool = defineTool({
  name: "write_file",
  description: "Writes a whole text file. To change a part of an existing file use edit_file.",
  kind: "write",
  input: z.strictObject({
    path: z.string().min(1).describe("Relative to the workspace; folders are made"),
    content: z.string(),
  }),
  async run({ path, content }, { files }) {
    const existed = (await files.read(path)) !== null;
    await files.write(path, content);
    return `${existed ? "Replaced" : "Created"} ${path} (${Buffer.byteLength(content)} bytes).`;
  },
});
