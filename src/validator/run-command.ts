import { clipMiddle } from "../shared/index.js";
import type { Box, CommandResult } from "../workspace/index.js";
import { parseOutput } from "./output-parsers.js";
import type { Parsed } from "./parsed.js";
import type { Check, Command } from "./types.js";

/** What of a check's output is kept: the failures are taken out of it before. */
const OUTPUT_LIMIT = 12_000;
/** Names of tests that are kept. */
const MAX_NAMES = 10_000;
const NOT_FOUND = 127;
/** How a runner says that it is there, but not what it should run. */
const NOT_INSTALLED =
  /No module named '?(?:pytest|mypy)\b|npx canceled due to missing packages|could not determine executable/i;
/** How build tools say that they cannot get what the project needs, of which there is none in the box. */
const NOT_FETCHED =
  /Could not resolve dependencies|Non-resolvable|PluginResolutionException|could not be resolved:|Could not resolve all |failed to download|dial tcp: lookup|Could not resolve host|UnknownHostException/;
/** How tools say that they found no test, whatever they exit with. */
const NO_TESTS = /no tests? (files? )?found|no tests ran|ran 0 tests|no test files|collected 0 items/i;

/** Runs one command and tells what was observed: a test command that ran no test did not run. */
export async function runCommand(
  box: Box,
  command: Command,
  knownPaths: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Check> {
  const result = await box.run(
    {
      command: command.command,
      timeoutMs: command.timeoutMs,
      env: { CI: "true", NO_COLOR: "1", PYTHONDONTWRITEBYTECODE: "1" },
    },
    signal,
  );
  const parsed = parseOutput(result.output, knownPaths);
  return {
    kind: command.kind,
    name: command.name,
    command: command.command,
    ...verdict(command, result, parsed),
    durationMs: result.durationMs,
    exitCode: result.exitCode,
    output: clipMiddle(result.output, OUTPUT_LIMIT),
    ...parsed,
    ...(command.kind === "tests" && { ran: parsed.ran?.slice(0, MAX_NAMES) ?? null }),
  };
}

function verdict(command: Command, result: CommandResult, parsed: Parsed): Pick<Check, "outcome" | "reason"> {
  if (result.timedOut) {
    return { outcome: "failed", reason: `It was stopped after ${Math.round(command.timeoutMs / 1000)} s.` };
  }
  const isMissing =
    result.exitCode === NOT_FOUND || (result.exitCode !== 0 && NOT_INSTALLED.test(result.output));
  if (isMissing && parsed.failures.length === 0) {
    const said = result.output.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
    return { outcome: "not-run", reason: `A program it needs is not installed here: ${said}` };
  }
  if (result.exitCode !== 0 && NOT_FETCHED.test(result.output) && parsed.failures.length === 0) {
    return { outcome: "not-run", reason: "Something that the project needs is neither here nor to be had." };
  }
  const counted = (parsed.passed ?? 0) + (parsed.failed ?? 0) + parsed.failures.length;
  const isEmpty = parsed.passed === null ? NO_TESTS.test(result.output) : counted === 0;
  if (command.kind === "tests" && isEmpty && (result.exitCode === 0 || NO_TESTS.test(result.output))) {
    return { outcome: "not-run", reason: "It found no test to run." };
  }
  if (result.exitCode === 0) return { outcome: "passed", reason: "" };
  return { outcome: "failed", reason: failedReason(command, result, parsed) };
}

function failedReason(command: Command, result: CommandResult, parsed: Parsed): string {
  const what = { tests: "test", types: "type error", custom: "failure" }[command.kind];
  if (parsed.failed !== null && parsed.failed > 0) {
    const total = parsed.passed === null ? "" : ` of ${parsed.passed + parsed.failed}`;
    if (command.kind !== "tests") return `${parsed.failed} ${what}${parsed.failed === 1 ? "" : "s"}.`;
    return `${parsed.failed}${total} ${what}s ${parsed.failed === 1 ? "fails" : "fail"}.`;
  }
  return `\`${command.command}\` exited with ${result.exitCode ?? "a signal"}.`;
}
