import type { Box, Change, Files } from "../workspace/index.js";
import { blame } from "./blame.js";
import { checkImports } from "./check-imports.js";
import { conclude } from "./conclude.js";
import { emptyCheck } from "./empty-check.js";
import { forgiveOld } from "./forgive-old.js";
import type { QueryRule } from "./options.js";
import { GRAMMAR_CHECK, checkGrammar } from "./parse-errors.js";
import { partOf } from "./part-of.js";
import { checkQueries, observeQueries } from "./query-rules.js";
import { runCommand } from "./run-command.js";
import { checkSyntax } from "./syntax.js";
import type { ChangeKnowledge, Check, Command, Validation } from "./types.js";

/** What a validation works on. */
export interface ValidationInput {
  box: Box;
  files: Files;
  commands: readonly Command[];
  changed: readonly Change[];
  known: ChangeKnowledge;
  /** What the same commands showed on the untouched base; null when that was not observed. */
  baseline: Validation | null;
  /** False while a failure goes back to be put right: then the tests that the change can reach say enough. */
  isFinal: boolean;
  /** Runs on the untouched base what fails here and was not run there: which rules fit a change is not known before it. */
  onBase?: (failed: readonly Command[]) => Promise<readonly Check[]>;
}

/** What the checks of an untouched base are seen with. */
export interface BaselineInput extends Pick<ValidationInput, "box" | "files" | "commands"> {
  source: ChangeKnowledge["source"];
  rules: readonly QueryRule[];
}

const UNPARSED = "Not run, because a changed file cannot be parsed.";
const REACHED = "Not run, because tests that the change can reach fail.";

/** Runs the repository's commands on the untouched base, so that its own failures are not blamed on a change. */
export async function observeBaseline(input: BaselineInput, signal: AbortSignal): Promise<Validation> {
  const paths = new Set(await input.files.list());
  const checks: Check[] = [];
  for (const command of input.commands) checks.push(await runCommand(input.box, command, paths, signal));
  return conclude([...checks, ...(await observeQueries(input, signal))], null);
}

/**
 * Decides from what was run whether a change may be published: whether the changed files can be parsed and what they import is
 * declared, then types, the tests that the change can reach, all tests, and the repository's own rules.
 * Contract: never `passed` when no command ran; what is final ran all tests, unless a file cannot be parsed.
 */
export async function validate(input: ValidationInput, signal: AbortSignal): Promise<Validation> {
  const paths = new Set(await input.files.list());
  const { syntax, types } = await parseAndCompile(input, paths, signal);
  const imports = await checkImports(input, signal);
  const first = [...syntax, ...(imports ? [imports] : []), ...types];
  const rest = input.commands.filter(({ kind }) => kind !== "types");
  if (syntax.some(isFailed))
    return conclude([...first, ...rest.map((command) => skipped(command, UNPARSED))], input.baseline);
  const parts = await runParts(input, paths, signal);
  if (!input.isFinal && parts.some((part) => blame(part, input.baseline).verdict === "ours"))
    return conclude(
      [...first, ...parts, ...rest.map((command) => skipped(command, REACHED))],
      input.baseline,
    );
  const checks: Check[] = [];
  for (const command of rest.filter(({ kind }) => kind === "tests"))
    checks.push(await runCommand(input.box, command, paths, signal));
  checks.push(...(await checkQueries(input, signal)));
  for (const command of rest.filter(({ kind }) => kind === "custom"))
    checks.push(await runCommand(input.box, command, paths, signal));
  return conclude([...first, ...parts, ...checks], await withRules(input, checks));
}

/** The baseline with what it did not know of rules that fail. */
async function withRules(
  { baseline, commands, onBase }: ValidationInput,
  checks: readonly Check[],
): Promise<Validation | null> {
  const isUnknown = ({ kind, name }: Command) =>
    kind === "custom" &&
    checks.some((check) => check.name === name && isFailed(check)) &&
    !baseline?.checks.some((check) => check.name === name);
  const unknown = commands.filter(isUnknown);
  if (!onBase || unknown.length === 0) return baseline;
  const seen = baseline ?? { outcome: "not-run" as const, reason: "", checks: [], known: [] };
  const before = (await onBase(unknown)).filter((check) => tells(check, checks));
  return { ...seen, checks: [...seen.checks, ...before] };
}

/** Whether the base's words say which failures are new: a rule whose words differ is held against the change. */
function tells(before: Check, checks: readonly Check[]): boolean {
  const now = checks.find(({ name }) => name === before.name);
  if (before.failures.length + (now?.failures.length ?? 0) > 0) return true;
  return before.output.trim() !== "" && now?.output === before.output;
}

/** Whether the changed files can be parsed, and types; these are left out where not, unless they know better. */
async function parseAndCompile(
  input: ValidationInput,
  paths: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<{ syntax: Check[]; types: Check[] }> {
  const asked: Check[] = [];
  for (const check of await checkSyntax(input, signal)) asked.push(await forgiveOld(check, input));
  const grammar = await checkGrammar(input, signal);
  // Without files for the one, the other says it all.
  const own = grammar ? asked.filter(({ command }) => command !== "") : asked;
  const commands = input.commands.filter(({ kind }) => kind === "types");
  const isBroken = own.some(isFailed);
  const doubted = isBroken ? [] : languagesOf(grammar);
  const types: Check[] = [];
  for (const command of commands) {
    const runs = !isBroken && isKnowing(command, doubted);
    types.push(runs ? await runCommand(input.box, command, paths, signal) : skipped(command, UNPARSED));
  }
  if (!grammar) return { syntax: own, types };
  const isOverruled =
    doubted.length > 0 &&
    types.some((check, i) => check.outcome === "passed" && isKnowing(commands[i], doubted));
  return { syntax: [...own, isOverruled ? overruled(grammar) : grammar], types };
}

function isKnowing(command: Command | undefined, languages: readonly string[]): boolean {
  return languages.every((each) => command?.compiles?.includes(each));
}

/** Languages of the files that a grammar cannot parse. */
function languagesOf(grammar: Check | null): string[] {
  return [...new Set(grammar?.failures.map(({ title }) => title) ?? [])];
}

/** A grammar may not know the newest syntax; who compiles the language does. */
function overruled(grammar: Check): Check {
  const files = new Set(grammar.failures.map(({ path }) => path)).size;
  const reason = `${files} ${files === 1 ? "file is" : "files are"} not known to the grammar of ${GRAMMAR_CHECK}, but to the compiler.`;
  return { ...grammar, outcome: "passed", reason, output: "", failures: [], failed: 0 };
}

/** The tests that the change can reach, where some can be run alone. */
async function runParts(
  { box, commands, changed, known }: ValidationInput,
  paths: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Check[]> {
  const reached = [...known.reached, ...changed.map(({ path }) => path)];
  const checks: Check[] = [];
  for (const command of commands) {
    const part = partOf(command, { reached, paths });
    if (part) checks.push({ ...(await runCommand(box, part, paths, signal)), partOf: command.command });
  }
  // What fails without a test that fails may only be wrong to run alone.
  return checks.filter(({ outcome, failures }) => outcome === "passed" || failures.length > 0);
}

function isFailed({ outcome }: Check): boolean {
  return outcome === "failed";
}

function skipped({ kind, name, command }: Command, reason: string): Check {
  return { ...emptyCheck(kind, name, command), reason };
}
