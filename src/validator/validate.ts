import type { Box, Change, Files } from "../workspace/index.js";
import { type Blame, blame } from "./blame.js";
import { runCommand } from "./run-command.js";
import { checkSyntax } from "./syntax.js";
import type { Check, Command, Validation } from "./types.js";

/** What a validation works on. */
export interface ValidationInput {
  box: Box;
  files: Files;
  commands: readonly Command[];
  changed: readonly Change[];
  /** What the same commands showed on the untouched base; null when that was not observed. */
  baseline: Validation | null;
}

/** Runs the repository's commands on the untouched base, so that its own failures are not blamed on a change. */
export async function observeBaseline(
  input: Pick<ValidationInput, "box" | "files" | "commands">,
  signal: AbortSignal,
): Promise<Validation> {
  return conclude(await runAll(input, signal), null);
}

/**
 * Decides from what was run whether a change may be published: first whether the changed files can be parsed, then the
 * repository's own commands. Contract: never `passed` when no command ran.
 */
export async function validate(input: ValidationInput, signal: AbortSignal): Promise<Validation> {
  const syntax = await checkSyntax(input, signal);
  const isBroken = syntax.some((check) => check.outcome === "failed");
  const rest = isBroken ? input.commands.map(skipped) : await runAll(input, signal);
  return conclude([...syntax, ...rest], input.baseline);
}

async function runAll(
  input: Pick<ValidationInput, "box" | "files" | "commands">,
  signal: AbortSignal,
): Promise<Check[]> {
  const knownPaths = new Set(await input.files.list());
  const checks: Check[] = [];
  for (const command of input.commands) {
    checks.push(await runCommand(input.box, command, knownPaths, signal));
  }
  return checks;
}

function skipped({ kind, name, command }: Command): Check {
  const reason = "Not run, because a changed file cannot be parsed.";
  const nothing = { durationMs: 0, output: "", passed: null, failed: null, failures: [] };
  return { kind, name, command, outcome: "not-run", reason, ...nothing };
}

function conclude(checks: readonly Check[], baseline: Validation | null): Validation {
  const blames = checks.map((check) => blame(check, baseline));
  const known = blames.flatMap((each) => each.known);
  const explained = blames.map(explain);
  const of = (verdict: Blame["verdict"]) =>
    blames.filter((each) => each.verdict === verdict).map((b) => b.check);
  const ours = of("ours");
  if (ours.length > 0) {
    return { outcome: "failed", reason: failedReason(ours), checks: explained, known };
  }
  const unclear = of("unclear");
  if (unclear.length > 0) {
    const names = unclear.map((check) => check.name).join(", ");
    const reason = `${names} fails on the base already, and its output does not say which failures are new`;
    return { outcome: "not-run", reason, checks: explained, known };
  }
  // Syntax alone proves too little, a command of which everything fails on the base proves nothing, and types do not
  // stand in for tests that could not run.
  const proofs = checks.filter(
    (check) => check.kind !== "syntax" && check.outcome !== "not-run" && !isAllFailing(check),
  );
  const wanted = checks.some((check) => check.kind === "tests") ? "tests" : null;
  if (!proofs.some((check) => wanted === null || check.kind === wanted)) {
    return { outcome: "not-run", reason: notRunReason(checks, known.length), checks: explained, known };
  }
  return { outcome: "passed", reason: passedReason(checks, known.length), checks: explained, known };
}

function isAllFailing(check: Check): boolean {
  return check.outcome === "failed" && check.kind === "tests" && check.passed === 0;
}

function explain({ check, verdict, known }: Blame): Check {
  if (verdict === "unclear") return { ...check, reason: `${check.reason} The base fails here too.` };
  if (known.length === 0) return check;
  const share = verdict === "known" ? "All" : `${known.length} of them`;
  return { ...check, reason: `${check.reason} ${share} failed on the base too.` };
}

function failedReason(failed: readonly Check[]): string {
  return failed.map((check) => `${check.name}: ${check.reason.replace(/\.$/, "")}`).join("; ");
}

function notRunReason(checks: readonly Check[], known: number): string {
  if (known > 0) return "every test fails on the base already, so the tests say nothing about this change";
  const commands = checks.filter((check) => check.kind !== "syntax");
  if (commands.length === 0) return "no test command found";
  const idle = commands.filter((check) => check.outcome === "not-run");
  return idle.map((check) => `${check.name}: ${check.reason.replace(/\.$/, "")}`).join("; ");
}

function passedReason(checks: readonly Check[], known: number): string {
  const ran = checks.filter((check) => check.outcome !== "not-run");
  const passed = ran.reduce((sum, check) => sum + (check.passed ?? (check.outcome === "passed" ? 1 : 0)), 0);
  const before = known > 0 ? `; ${known} ${known === 1 ? "failure" : "failures"} that the base has too` : "";
  const idle = checks.filter((check) => check.outcome === "not-run" && check.kind !== "syntax");
  const missing = idle
    .map((check) => `; ${check.name} did not run: ${check.reason.replace(/\.$/, "")}`)
    .join("");
  return `${passed} ${passed === 1 ? "check" : "checks"} passed${before}${missing}`;
}
