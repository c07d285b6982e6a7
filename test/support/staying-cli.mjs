// The command line's entry point over and over in one process, so that what it imports is loaded once. Each message
// {"args","cwd","env"} runs dist/cli.js as a process of its own would; the answer is {"status","out","err"}.
import { inspect } from "node:util";

const ENTRY = new URL("../../dist/cli.js", import.meta.url);
const node = process.argv[0];
let count = 0;

/** Collects what is written to a stream. */
function collect(stream) {
  const texts = [];
  stream.write = (text) => texts.push(text) > 0;
  return () => texts.splice(0).join("");
}
const out = collect(process.stdout);
const err = collect(process.stderr);

async function run({ args, cwd, env }) {
  process.argv = [node, ENTRY.pathname, ...args];
  process.env = env;
  process.chdir(cwd);
  process.exitCode = undefined;
  try {
    await import(`${ENTRY.href}?${(count += 1)}`);
  } catch (error) {
    process.stderr.write(inspect(error));
    process.exitCode = 1;
  }
  for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal);
  return { status: process.exitCode ?? 0, out: out(), err: err() };
}

process.on("message", (command) => void run(command).then((printed) => process.send(printed)));
