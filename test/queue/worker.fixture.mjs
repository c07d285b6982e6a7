// A worker process: claims jobs and appends what it did to a log, until nothing is open any more.
// Arguments: folder of the built modules, database, log file, worker name, lease in ms, mode: `work`, or `wait` for a file
// `<log>.go` in the middle of a job.
import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const [built, file, log, name, leaseMs, mode] = process.argv.slice(2);
const load = (module) => import(pathToFileURL(join(built, "dist", module, "index.js")).href);
const { openDatabase } = await load("db");
const { createQueue } = await load("queue");
const { createUlids } = await load("shared");

const clock = { now: () => Date.now() };
const db = openDatabase(file, { synchronous: "normal" });
const queue = createQueue(
  db,
  { clock, newId: createUlids(clock) },
  { leaseMs: Number(leaseMs), maxAttempts: 50 },
);
const note = (what, job) =>
  appendFileSync(log, `${JSON.stringify({ what, key: job.key, group: job.group, name })}\n`);

for (;;) {
  const job = queue.claim("run", name);
  if (!job) {
    const { waiting, running } = queue.counts();
    if (waiting + running === 0) break;
    await delay(10);
    continue;
  }
  note("start", job);
  if (mode === "wait") while (!existsSync(`${log}.go`)) await delay(10);
  await delay(2);
  note(queue.complete(job, "done by a process") ? "done" : "stale", job);
}
db.close();
