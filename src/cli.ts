#!/usr/bin/env node
import { runCli } from "./compose.js";

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
process.once("SIGTERM", () => stop.abort());

process.exitCode = await runCli({
  clock: { now: () => Date.now() },
  env: process.env,
  uid: process.getuid?.() ?? -1,
  nodePath: process.execPath,
  nodeVersion: process.version,
  random: () => Math.random(),
  argv: process.argv.slice(2),
  signal: stop.signal,
  output: {
    isTty: process.stderr.isTTY,
    colour: process.stderr.isTTY && process.env["NO_COLOR"] === undefined,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  },
});
