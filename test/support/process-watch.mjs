// Looks over and over at the processes whose environment or arguments name a folder, and writes each it has seen once, as JSON
// lines {"command","args","environment"}, until it is ended. Arguments: folder, output file.
import { appendFileSync, readdirSync, readFileSync } from "node:fs";

const [folder, output] = process.argv.slice(2);
const seen = new Set();

function read(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    // It ended meanwhile.
    return "";
  }
}

function look(pid) {
  const args = read(pid, "cmdline");
  const environment = read(pid, "environ");
  // Between fork and exec a child still shows its parent's memory.
  const key = `${pid} ${args} ${environment.length}`;
  if (seen.has(key) || !(args + environment).includes(folder)) return;
  seen.add(key);
  const line = {
    command: read(pid, "comm").trim(),
    args: args.split("\0"),
    environment: environment.split("\0"),
  };
  appendFileSync(output, `${JSON.stringify(line)}\n`);
}

process.stdout.write("watching");
for (;;) {
  for (const pid of readdirSync("/proc")) if (/^\d+$/.test(pid) && pid !== String(process.pid)) look(pid);
  await new Promise((resolve) => setTimeout(resolve, 2));
}
