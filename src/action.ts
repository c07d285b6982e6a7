#!/usr/bin/env node
import { runActionStep } from "./compose.js";
import { AccrueError, isAccrueError } from "./shared/index.js";

const stop = new AbortController();
const interrupt = () => stop.abort(new AccrueError("RUN_STOPPED", "interrupted here"));
process.once("SIGINT", interrupt);
process.once("SIGTERM", interrupt);

try {
  process.exitCode = await runActionStep({
    clock: { now: () => Date.now() },
    env: process.env,
    uid: process.getuid?.() ?? -1,
    nodePath: process.execPath,
    nodeVersion: process.version,
    random: () => Math.random(),
    argv: [],
    signal: stop.signal,
    output: {
      isTty: false,
      colour: false,
      out: (text) => process.stdout.write(text),
      err: (text) => process.stderr.write(text),
    },
  });
} catch (error) {
  if (!isAccrueError(error)) throw error;
  process.stdout.write(`::error::${error.message.replaceAll("%", "%25").replaceAll("\n", "%0A")}\n`);
  process.exitCode = 1;
}
