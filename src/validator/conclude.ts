import { type Blame, blame } from "./blame.js";
import type { Check, Validation } from "./types.js";

/** Joins what was observed into one outcome, with what the base showed already left out of the blame. */
export function conclude(checks: readonly Check[], baseline: Validation | null): Validation {
  const blames = checks.map((check) => blame(check, baseline));
  const judged = blames.filter(({ check }) => !isRepeatedIn(check, checks));
  const known = judged.flatMap((each) => each.known);
  const explained = blames.map(explain);
  const of = (verdict: Blame["verdict"]) =>
    judged.filter((each) => each.verdict === verdict).map(({ check }) => check);
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
    (check) =>
      !isReading(check) && check.outcome !== "not-run" && check.partOf === undefined && !isAllFailing(check),
  );
  const wanted = checks.some((check) => check.kind === "tests") ? "tests" : null;
  if (!proofs.some((check) => wanted === null || check.kind === wanted)) {
    return { outcome: "not-run", reason: notRunReason(checks, known.length), checks: explained, known };
  }
  return { outcome: "passed", reason: passedReason(checks, known.length), checks: explained, known };
}

/** Checks that only read the files prove too little by themselves. */
function isReading({ kind }: Check): boolean {
  return kind === "syntax" || kind === "imports" || kind === "rule";
}

/** What the tests that the change can reach have shown, all tests show again. */
function isRepeatedIn(check: Check, checks: readonly Check[]): boolean {
  return (
    check.partOf !== undefined &&
    checks.some(({ command, outcome }) => command === check.partOf && outcome !== "not-run")
  );
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
  const commands = checks.filter((check) => !isReading(check));
  if (commands.length === 0) return "no test command found";
  const idle = commands.filter((check) => check.outcome === "not-run");
  return idle.map((check) => `${check.name}: ${check.reason.replace(/\.$/, "")}`).join("; ");
}

function passedReason(checks: readonly Check[], known: number): string {
  const ran = checks.filter(
    (check) => check.outcome !== "not-run" && check.kind !== "imports" && !isRepeatedIn(check, checks),
  );
  const passed = ran.reduce((sum, check) => sum + (check.passed ?? (check.outcome === "passed" ? 1 : 0)), 0);
  const before = known > 0 ? `; ${known} ${known === 1 ? "failure" : "failures"} that the base has too` : "";
  const idle = checks.filter(
    (check) => check.outcome === "not-run" && check.kind !== "syntax" && check.kind !== "imports",
  );
  const missing = idle
    .map((check) => `; ${check.name} did not run: ${check.reason.replace(/\.$/, "")}`)
    .join("");
  return `${passed} ${passed === 1 ? "check" : "checks"} passed${before}${missing}`;
}
