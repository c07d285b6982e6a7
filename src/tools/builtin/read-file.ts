import { z } from "zod";
import { AccrueError } from "../../shared/index.js";
import { ARTEFACT_PREFIX, readArtefact } from "../artefact.js";
import { defineTool } from "../define-tool.js";
import { assertText, readTextFile } from "./text-file.js";

const MAX_LINES = 2_000;
const MAX_LINE_CHARS = 2_000;

function clipLine(line: string): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  const kept = line.slice(0, MAX_LINE_CHARS).replace(/[\ud800-\udbff]$/, "");
  return `${kept}… (${line.length - kept.length} more characters)`;
}

/** Shows a file with line numbers, so that later calls and answers can name lines. */
export const readFileTool = defineTool({
  name: "read_file",
  description: `Reads a text file of the workspace with line numbers, at most ${MAX_LINES} lines at a time.`,
  kind: "read",
  input: z.strictObject({
    path: z.string().min(1).describe("Relative to the workspace, such as src/index.ts"),
    offset: z.int().min(1).default(1).describe("First line, counted from 1"),
    limit: z.int().min(1).default(MAX_LINES).describe("Number of lines"),
  }),
  async run({ path, offset, limit }, context) {
    const isArtefact = path.startsWith(ARTEFACT_PREFIX);
    const content = isArtefact
      ? assertText(await readArtefact(path, context), path)
      : await readTextFile(path, context);
    if (!isArtefact) context.seen.note(path, content);
    const text = content.toString("utf8").replace(/^\ufeff/, "");
    if (text === "") return "(empty file)";
    const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
    if (offset > lines.length) {
      throw new AccrueError("INPUT_INVALID", `${path} has ${lines.length} lines: choose a smaller offset.`);
    }
    const shown = lines.slice(offset - 1, offset - 1 + Math.min(limit, MAX_LINES));
    const last = offset - 1 + shown.length;
    const numbered = shown.map((line, at) => `${String(offset + at).padStart(6)}\t${clipLine(line)}`);
    if (last < lines.length) {
      numbered.push(`(lines ${offset}–${last} of ${lines.length}; go on with offset ${last + 1})`);
    }
    return numbered.join("\n");
  },
});
