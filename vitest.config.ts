import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: process.env.ACCRUE_LONG ? [] : ["test/**/*.long.test.ts"],
    setupFiles: ["test/support/network-guard.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
