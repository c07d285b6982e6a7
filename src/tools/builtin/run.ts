import { z } from "zod";
import { defineTool } from "../define-tool.js";
import { withExpectations } from "./expectation.js";
import { readableOutput } from "./readable-output.js";

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 600;
/** The box ends a command by itself; this is only for a box that does not. */
const MARGIN_MS = 30_000;

const RunExpectation = z.strictObject({
  exit_code: z.int().optional(),
  output_contains: z.string().min(1).optional(),
});

function unmet(
  { exit_code, output_contains }: z.output<typeof RunExpectation>,
  observed: { exitCode: number | null; output: string },
): string[] {
  const { exitCode, output } = observed;
  return [
    ...(exit_code === undefined || exit_code === exitCode
      ? []
      : [`expected exit code ${exit_code}, observed ${exitCode ?? "none"}`]),
    ...(output_contains === undefined || output.includes(output_contains)
      ? []
      : [`the output does not contain ${JSON.stringify(output_contains)}`]),
  ];
}

/** Runs a command in the box and says what was observed; a failing command is a result, not an error. */
export const runTool = defineTool({
  name: "run",
  description: `Runs a shell command in the workspace's sandbox, without network; at most ${MAX_SECONDS} seconds. What it leaves in the background is ended with it.`,
  kind: "write",
  timeoutMs: MAX_SECONDS * 1000 + MARGIN_MS,
  input: z.strictObject({
    command: z.string().min(1),
    timeout_seconds: z.number().default(DEFAULT_SECONDS),
    expect: RunExpectation.optional(),
  }),
  async run({ command, timeout_seconds, expect = {} }, { box }, signal) {
    const seconds = Math.min(MAX_SECONDS, Math.max(1, timeout_seconds));
    const { exitCode, output, timedOut } = await box.run({ command, timeoutMs: seconds * 1000 }, signal);
    const end = timedOut
      ? `timed out after ${seconds} s and was ended`
      : exitCode === null
        ? "ended by a signal"
        : `exit code ${exitCode}`;
    const said = `${end}\n${readableOutput(output).trimEnd() || "(no output)"}`;
    return withExpectations(said, unmet(expect, { exitCode, output }));
  },
});
