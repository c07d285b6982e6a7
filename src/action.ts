#!/usr/bin/env node
import { runActionStep } from "./compose.js";
import { AccrueError, isAccrueError } from "./shared/index.js";

const stop = new AbortController();
// A workflow run that is cancelled gets SIGINT, and 7.5 s later SIGTERM.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => stop.abort(new AccrueError("RUN_STOPPED", "The workflow run was cancelled.")));
}

try {
  process.exitCode = await runActionStep({
    clock: { now: () => Date.now() },
    env: process.env,
    uid: process.getuid?.() ?? -1,
    nodePath: process.execPath,
    nodeVersion: process.version,
    random: () => Math.random(),
    argv: [],
    askPerson: null,
    interview: null,
    signal: stop.signal,
    output: {
      isTty: false,
      columns: () => 0,
      colour: false,
      out: (text) => process.stdout.write(text),
      err: (text) => process.stderr.write(text),
    },
  });
} catch (error) {
  if (!isAccrueError(error)) throw error;
  process.stdout.write(
    `::error::${error.message.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")}\n`,
  );
  process.exitCode = 1;
}
