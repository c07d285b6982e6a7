import type { Ask } from "../../src/orchestrator/index.js";

/** What a person typed, as a local run asks it. */
export const localIntent: Ask = {
  intent: { kind: "start", text: "add CSV export" },
  repository: { host: "local", owner: "ann", name: "roster" },
  installation: null,
  defaultBranch: "main",
  actor: { id: 0, login: "Ann", type: "User" },
  thread: null,
  comment: null,
  headRef: null,
  key: "local-1",
  at: "2026-11-29T12:00:00.000Z",
};
