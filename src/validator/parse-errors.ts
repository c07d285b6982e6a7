import type { SourcePlace } from "../codemap/index.js";
import type { Change, Files } from "../workspace/index.js";
import { emptyCheck, withFindings } from "./empty-check.js";
import type { ChangeKnowledge, Check, Failure } from "./types.js";

/** The name of the check by the code map's grammars. */
export const GRAMMAR_CHECK = "syntax (grammar)";
/** Languages whose own parser is asked, which knows better. */
const ASKED_OTHERWISE = new Set(["python"]);
const OWN_PARSER = /\.[cm]?js$/;
const MAX_EACH = 10;

/**
 * Finds what of the changed files cannot be parsed any more, by the code map's grammars. What could not be parsed on the base
 * either is not held against the change: a grammar may not know the newest syntax. Null when no changed file is to be read.
 */
export async function checkGrammar(
  input: { files: Files; changed: readonly Change[]; known: ChangeKnowledge },
  signal: AbortSignal,
): Promise<Check | null> {
  const { files, changed, known } = input;
  const started = performance.now();
  const failures: Failure[] = [];
  let read = 0;
  for (const { path, status, mode } of changed) {
    signal.throwIfAborted();
    const language = known.source.languageOf(path);
    if (status === "deleted" || !mode.startsWith("100") || language === null) continue;
    if (ASKED_OTHERWISE.has(language) || OWN_PARSER.test(path)) continue;
    const text = (await files.read(path))?.toString("utf8") ?? "";
    const errors = await known.source.errors(path, text);
    if (errors === null) continue;
    read += 1;
    if (errors.length === 0) continue;
    const before = await known.before(path);
    const old = before === null ? [] : await known.source.errors(path, before);
    failures.push(
      ...newErrors(errors, old ?? [])
        .slice(0, MAX_EACH)
        .map(failureAt(path, language)),
    );
  }
  if (read === 0) return null;
  const check = emptyCheck("syntax", GRAMMAR_CHECK, "tree-sitter");
  const broken = [...new Set(failures.map(({ path }) => path))];
  const others = broken.length > 1 ? ` and ${broken.length - 1} more` : "";
  const timed = {
    ...check,
    passed: read - broken.length,
    durationMs: Math.round(performance.now() - started),
  };
  return withFindings(timed, failures, `${broken[0] ?? ""}${others} cannot be parsed.`);
}

/** Errors beyond those that were there before, which are known again by the text of their line. */
function newErrors(errors: readonly SourcePlace[], before: readonly SourcePlace[]): SourcePlace[] {
  if (errors.length <= before.length) return [];
  const left = before.map(({ text }) => text);
  const fresh = errors.filter(({ text }) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return fresh.length > 0 ? fresh : errors.slice(before.length);
}

function failureAt(path: string, language: string): (place: SourcePlace) => Failure {
  return ({ from, text }) => ({
    title: language,
    path,
    line: from,
    message: `This cannot be parsed as ${language}: ${text.slice(0, 200)}`,
  });
}
