import type { Box, Files } from "../workspace/index.js";
import { checkSyntax } from "./syntax.js";

/** What is wrong with the syntax of one file, with its line; null when it parses, or when nothing here knows its language. */
export async function syntaxProblemOf(
  input: { files: Files; box: Box; path: string },
  signal: AbortSignal,
): Promise<string | null> {
  const { files, box, path } = input;
  const checks = await checkSyntax(
    { files, box, changed: [{ path, status: "modified", mode: "100644" }] },
    signal,
  );
  const failure = checks.flatMap(({ failures }) => failures)[0];
  if (!failure) return null;
  return failure.line === null ? failure.message : `line ${failure.line}: ${failure.message}`;
}
