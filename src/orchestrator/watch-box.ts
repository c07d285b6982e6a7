import type { Box } from "../workspace/index.js";
import type { FailureLog } from "./failure-log.js";

/** A box whose commands are written down with what was observed of them. */
export function watchBox(box: Box, log: Pick<FailureLog, "ran">): Box {
  return {
    level: box.level,
    run: async (request, signal) => {
      const result = await box.run(request, signal);
      log.ran(request.command, result.exitCode === 0, result.output);
      return result;
    },
  };
}
