import type { Outcome } from "../../shared/index.js";
import { EXIT, type Output, paint } from "../output.js";
import type { CommandEnd } from "../program.js";

/** One thing that was checked on this machine. */
export interface DoctorCheck {
  name: string;
  outcome: Outcome;
  /** What was found, and what to do where it is not right. */
  hint: string;
}

const SIGNS = { passed: "✓", failed: "✗", "not-run": "·" } as const;
const STYLES = { passed: "green", failed: "red", "not-run": "dim" } as const;

/** Runs all checks side by side and lists what they found. */
export async function doctorCommand(
  output: Output,
  checks: Readonly<Record<string, () => Promise<Omit<DoctorCheck, "name">>>>,
): Promise<CommandEnd> {
  const found = await Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<DoctorCheck> => ({ name, ...(await check()) })),
  );
  const width = Math.max(...found.map(({ name }) => name.length));
  const lines = found.map(
    ({ name, outcome, hint }) =>
      `  ${paint(output, STYLES[outcome], SIGNS[outcome])} ${name.padEnd(width)}  ${hint}`,
  );
  return {
    json: { checks: found },
    text: lines.join("\n"),
    status: found.some(({ outcome }) => outcome === "failed") ? EXIT.failed : EXIT.done,
  };
}
