import { z } from "zod";
import { defineTool } from "../define-tool.js";

const MAX_FILES = 1_000;

/** Shows which files there are. */
export const listFilesTool = defineTool({
  name: "list_files",
  description: `Lists the files of the workspace or of one folder, sorted, without ignored ones; at most ${MAX_FILES}.`,
  kind: "read",
  input: z.strictObject({
    folder: z.string().optional().describe("Relative to the workspace; left out: everything"),
  }),
  async run({ folder }, { files }) {
    const paths = await files.list(folder);
    if (paths.length === 0) return "(no files)";
    const more = paths.length - MAX_FILES;
    const notice = more > 0 ? [`(${more} more: name a folder)`] : [];
    return [...paths.slice(0, MAX_FILES), ...notice].join("\n");
  },
});
