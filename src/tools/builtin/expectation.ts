import { z } from "zod";
import { AccrueError } from "../../shared/index.js";
import type { ToolContext } from "../types.js";

/** What a call that writes a file may say it expects of the file afterwards. */
export const FileExpectation = z.strictObject({
  contains: z.string().min(1).optional(),
  parses: z.boolean().optional(),
});

/** The result of an action that was done: with what was expected and is not so, an error that says both. */
export function withExpectations(said: string, unmet: readonly string[]): string {
  if (unmet.length === 0) return said;
  const message = `${said}\nExpectation not met: ${unmet.join("; ")}. The action itself was done: find out why, then go on.`;
  throw new AccrueError("INPUT_INVALID", message);
}

function sameLineEnds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** The result of a call that wrote a file: whether it still parses, and whether it is as expected, as read back from the disk. */
export async function afterWrite(
  said: string,
  { path, expect = {} }: { path: string; expect?: z.output<typeof FileExpectation> | undefined },
  context: ToolContext,
  signal: AbortSignal,
): Promise<string> {
  const content = (await context.files.read(path)) ?? Buffer.alloc(0);
  context.seen.note(path, content);
  const problem = await context.problemOf(path, signal);
  const { contains, parses } = expect;
  const unmet: string[] = [];
  if (contains !== undefined && !sameLineEnds(content.toString()).includes(sameLineEnds(contains))) {
    unmet.push(`${path} does not contain ${JSON.stringify(contains)}`);
  }
  if (parses !== undefined && parses !== (problem === null)) {
    unmet.push(`${path} ${problem === null ? "has no known problem" : "does not parse"}`);
  }
  const warning =
    problem === null
      ? ""
      : `\n⚠ ${path} does not parse: ${problem.replace(/\.$/, "")}. Correct it before you go on.`;
  return withExpectations(said + warning, unmet);
}
