#!/usr/bin/env node
import { startServer, startWorker } from "./compose.js";
import { type System, isAccrueError } from "./shared/index.js";

const system: System = {
  clock: { now: () => Date.now() },
  env: process.env,
  uid: process.getuid?.() ?? -1,
  nodePath: process.execPath,
  nodeVersion: process.version,
  random: () => Math.random(),
};

async function main(): Promise<void> {
  const isWorker = process.argv[2] === "worker";
  const running = isWorker
    ? startWorker(system)
    : await startServer(system, (worker) => process.send?.({ worker }));
  if ("wake" in running) {
    process.on("message", () => running.wake());
    // The listener died: what runs is finished or taken up again by the next worker.
    process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  }
  if ("url" in running) process.send?.({ url: running.url });
  const stop = () => {
    void running.close().then(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  // It died before anybody listened for that.
  if (isWorker && process.send && !process.connected) stop();
}

try {
  await main();
} catch (error) {
  if (!isAccrueError(error)) throw error;
  process.stderr.write(`accrue: ${error.message}\n`);
  process.exit(2);
}
