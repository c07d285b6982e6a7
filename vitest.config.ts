import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: process.env.ACCRUE_LONG ? [] : ["test/**/*.long.test.ts"],
    setupFiles: ["test/support/network-guard.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    pool: "forks",
    // One more than the cores of a small machine: many tests wait for processes that they started.
    maxWorkers: 3,
    // Modules hold no state (test/architecture.test.ts), so that files can share what a worker has loaded.
    isolate: false,
  },
});
