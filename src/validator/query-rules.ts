import { type SourceReader, LANGUAGE_NAMES } from "../codemap/index.js";
import { isAccrueError } from "../shared/index.js";
import type { Files } from "../workspace/index.js";
import { emptyCheck, withFindings } from "./empty-check.js";
import type { QueryRule } from "./options.js";
import type { ChangeKnowledge, Check, Failure } from "./types.js";

const MAX_FINDINGS = 100;
/** A query of TypeScript is asked of its other forms too. */
const SIBLINGS: Readonly<Record<string, readonly string[]>> = {
  typescript: ["typescript", "tsx", "component"],
};

type Reading = { files: Files; known: Pick<ChangeKnowledge, "source" | "diff" | "rules"> };

/** Asks the queries among the repository's own rules; each match where the change is a finding. */
export async function checkQueries({ files, known }: Reading, signal: AbortSignal): Promise<Check[]> {
  const checks: Check[] = [];
  for (const rule of known.rules) checks.push(await checkRule(rule, { files, known }, signal));
  return checks;
}

/** Asks the queries that look at all files of the untouched base, so that what was there before is not held against a change. */
export function observeQueries(
  { files, source, rules }: { files: Files; source: SourceReader; rules: readonly QueryRule[] },
  signal: AbortSignal,
): Promise<Check[]> {
  const whole = rules.filter(({ only }) => only === "all");
  return checkQueries({ files, known: { source, diff: [], rules: whole } }, signal);
}

async function checkRule(rule: QueryRule, { files, known }: Reading, signal: AbortSignal): Promise<Check> {
  const started = performance.now();
  const check = emptyCheck("rule", rule.name, `query (${rule.language})`);
  if (!LANGUAGE_NAMES.includes(rule.language)) {
    const reason = `The rule's language ${rule.language} is none of ${LANGUAGE_NAMES.join(", ")}.`;
    return { ...check, reason };
  }
  const languages = SIBLINGS[rule.language] ?? [rule.language];
  const isOf = (path: string) => languages.includes(known.source.languageOf(path) ?? "");
  const changed = new Map(known.diff.map(({ path, lines }) => [path, lines]));
  const paths = rule.only === "all" ? await files.list() : [...changed.keys()];
  const failures: Failure[] = [];
  try {
    for (const path of paths.filter(isOf)) {
      signal.throwIfAborted();
      const text = (await files.read(path))?.toString("utf8");
      if (text === undefined || failures.length >= MAX_FINDINGS) continue;
      const lines = rule.only === "all" ? null : (changed.get(path) ?? []);
      failures.push(...(await findingsIn(known.source, rule, { path, text, lines })));
    }
  } catch (error) {
    // The rule is at fault, and not the change: people are told, and nothing else is held up.
    if (isAccrueError(error, "CONFIG_INVALID")) return { ...check, reason: error.message };
    throw error;
  }
  const durationMs = Math.round(performance.now() - started);
  const count = `${failures.length} ${failures.length === 1 ? "place breaks" : "places break"} the rule.`;
  return withFindings({ ...check, durationMs }, failures.slice(0, MAX_FINDINGS), count);
}

async function findingsIn(
  source: SourceReader,
  rule: QueryRule,
  { path, text, lines }: { path: string; text: string; lines: readonly number[] | null },
): Promise<Failure[]> {
  const found = await source.find(path, text, rule.query);
  const excused = rule.unless === "" ? [] : await source.find(path, text, rule.unless);
  return found
    .filter((place) => !excused.some(({ start, end }) => start === place.start && end === place.end))
    .filter(({ from, to }) => lines === null || lines.some((line) => from <= line && line <= to))
    .map(({ from }) => ({ title: rule.name, path, line: from, message: rule.message }));
}
