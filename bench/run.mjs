// Runs one measurement: `npm run bench -- <name>`. Writes bench/results/<name>.json and prints what it found.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";

const [name = "", ...args] = process.argv.slice(2);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
if (!/^[a-z-]+$/.test(name) || name === "run" || !existsSync(here(`${name}.mjs`))) {
  const known = readdirSync(here(".")).filter((file) => file.endsWith(".mjs") && file !== "run.mjs");
  process.stderr.write(`Say which: npm run bench -- <${known.map((file) => file.slice(0, -4)).join("|")}>\n`);
  process.exit(2);
}
const { measure } = await import(`./${name}.mjs`);
const { numbers, lines, isMet } = await measure(args);
const machine = {
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
};
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
  cwd: here("."),
  encoding: "utf8",
}).trim();
mkdirSync(here("results"), { recursive: true });
const results = here(`results/${name}.json`);
writeFileSync(
  results,
  `${JSON.stringify({ at: new Date().toISOString(), commit, machine, numbers }, null, 2)}\n`,
);
// As the check wants every file of ours.
execFileSync("npx", ["oxfmt", results], { cwd: here("..") });
process.stdout.write(`${lines.join("\n")}\n`);
process.exit(isMet ? 0 : 1);
