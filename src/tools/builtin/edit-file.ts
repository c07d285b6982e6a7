import { z } from "zod";
import { AccrueError } from "../../shared/index.js";
import { defineTool } from "../define-tool.js";
import { afterWrite, FileExpectation } from "./expectation.js";
import { findSpans, type Span } from "./find-span.js";
import { readTextFile } from "./text-file.js";

/** Bytes as characters: what lies outside the span stays the same byte for byte, valid UTF-8 or not. */
const BYTES = "latin1";
const BOM = Buffer.from("\ufeff").toString(BYTES);

function toBytes(text: string): string {
  return Buffer.from(text.replace(/^\ufeff/, "")).toString(BYTES);
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

/** The line end that the replaced part has, or else most of the file. */
function lineEndOf(file: string, span: Span): "\r\n" | "\n" {
  const part = file.slice(span.start, span.end);
  const sample = part.includes("\n") ? part : file;
  const crlf = sample.split("\r\n").length - 1;
  const all = sample.split("\n").length - 1;
  return crlf > all / 2 ? "\r\n" : "\n";
}

function refuse(message: string): never {
  throw new AccrueError("INPUT_INVALID", message);
}

function findOnly(file: string, wanted: string, path: string): { span: Span; how: string } {
  const { spans, how } = findSpans(file, wanted);
  const [span, ...others] = spans;
  if (span === undefined) {
    const firstLine =
      wanted
        .split("\n")
        .find((line) => line.trim() !== "")
        ?.trim() ?? "";
    const near = firstLine === "" ? -1 : file.indexOf(firstLine);
    const hint = near < 0 ? "" : ` Its first line is at line ${lineAt(file, near)}; what follows differs.`;
    return refuse(`${path} does not hold this old_text.${hint} Read the file again and copy it exactly.`);
  }
  if (others.length > 0) {
    const places = spans.map(({ start }) => lineAt(file, start)).join(", ");
    return refuse(
      `${path} holds this old_text more than once (lines ${places}, …). Add lines around it to make it unique.`,
    );
  }
  return { span, how };
}

/** Changes one place of a file and nothing around it. */
export const editFileTool = defineTool({
  name: "edit_file",
  description:
    "Replaces one text in a file by another. old_text must occur exactly once, with its indentation; nothing else changes.",
  kind: "write",
  input: z.strictObject({
    path: z.string().min(1).describe("Relative to the workspace"),
    old_text: z.string().describe("Copied from the file, without line numbers"),
    new_text: z.string(),
    expect: FileExpectation.optional(),
  }),
  async run({ path, old_text, new_text, expect }, context, signal) {
    const present = await readTextFile(path, context);
    const isChanged = context.seen.compare(path, present) === "changed";
    const raw = present.toString(BYTES);
    const wanted = toBytes(old_text);
    if (wanted === "") refuse(`old_text is empty. To replace all of ${path} use write_file.`);
    if (old_text === new_text) refuse(`old_text and new_text are the same: ${path} would not change.`);
    const bom = raw.startsWith(BOM) ? BOM : "";
    const file = raw.slice(bom.length);
    const { span, how } = findOnly(file, wanted, path);
    const replacement = toBytes(new_text).replace(/\r?\n/g, lineEndOf(file, span));
    const changed = bom + file.slice(0, span.start) + replacement + file.slice(span.end);
    await context.files.write(path, Buffer.from(changed, BYTES));
    const from = lineAt(file, span.start);
    const to = from + replacement.split("\n").length - 1;
    const note = how === "" ? "" : ` Found by ignoring ${how}.`;
    const others = isChanged ? " The file had changed since you last read it." : "";
    const said = `Edited ${path}: the new text is at lines ${from}–${to}.${note}${others}`;
    return afterWrite(said, { path, expect }, context, signal);
  },
});
