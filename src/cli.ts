#!/usr/bin/env node
import { stripVTControlCharacters } from "node:util";
import { terminalAsker, terminalInterviewer } from "./cli/index.js";
import { runCli } from "./compose.js";
import { AccrueError } from "./shared/index.js";

const stop = new AbortController();
// A second signal ends the process at once.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => stop.abort(new AccrueError("RUN_STOPPED", `Stopped by ${signal}.`)));
}

process.exitCode = await runCli({
  clock: { now: () => Date.now() },
  env: process.env,
  uid: process.getuid?.() ?? -1,
  nodePath: process.execPath,
  nodeVersion: process.version,
  random: () => Math.random(),
  argv: process.argv.slice(2),
  signal: stop.signal,
  askPerson: terminalAsker(process.stdin, process.stderr),
  interview: terminalInterviewer(process.stdin, process.stderr),
  output: {
    isTty: process.stderr.isTTY,
    columns: () => process.stderr.columns,
    colour: process.stderr.isTTY && process.env["NO_COLOR"] === undefined,
    out: (text) => process.stdout.write(process.stdout.isTTY ? text : stripVTControlCharacters(text)),
    err: (text) => process.stderr.write(text),
  },
});
