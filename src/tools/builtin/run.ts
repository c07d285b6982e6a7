import { z } from "zod";
import { defineTool } from "../define-tool.js";

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 600;
/** The box ends a command by itself; this is only for a box that does not. */
const MARGIN_MS = 30_000;

/** Runs a command in the box and says what was observed; a failing command is a result, not an error. */
export const runTool = defineTool({
  name: "run",
  description: `Runs a shell command in the workspace's sandbox, without network; at most ${MAX_SECONDS} seconds.`,
  kind: "write",
  timeoutMs: MAX_SECONDS * 1000 + MARGIN_MS,
  input: z.strictObject({
    command: z.string().min(1),
    timeout_seconds: z.number().default(DEFAULT_SECONDS),
  }),
  async run({ command, timeout_seconds }, { box }, signal) {
    const seconds = Math.min(MAX_SECONDS, Math.max(1, timeout_seconds));
    const { exitCode, output, timedOut } = await box.run({ command, timeoutMs: seconds * 1000 }, signal);
    const end = timedOut
      ? `timed out after ${seconds} s and was ended`
      : exitCode === null
        ? "ended by a signal"
        : `exit code ${exitCode}`;
    return `${end}\n${output.trimEnd() || "(no output)"}`;
  },
});
