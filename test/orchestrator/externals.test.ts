import { describe, expect, it } from "vitest";
import { waitingFor } from "../../src/orchestrator/phases/externals.js";
import { openExternals } from "../../src/orchestrator/plan.js";
import type { Run } from "../../src/orchestrator/types.js";
import { parseTasks } from "../../src/requirements/index.js";

const run = { language: "en", doors: { port: null }, requirement: "REQ-12" } as unknown as Run;
const said = (document: string) => {
  const tasks = parseTasks(document);
  return waitingFor(
    run,
    openExternals(tasks),
    tasks.filter(({ kind }) => kind !== "external"),
  ).reason;
};

describe("a plan that cannot go on", () => {
  it("names whom it waits for", () => {
    const plan =
      "- [ ] T1 Wallets\n  - kind: external\n  - who: the wallet team\n- [ ] T2 Page\n  - after: T1\n";
    expect(said(plan)).toContain("Waiting for others: T1 Wallets (the wallet team) · T2");
  });

  it("says that tasks wait for each other where a person made them do so", () => {
    expect(said("- [ ] T1 a\n  - after: T2\n- [ ] T2 b\n  - after: T1\n")).toBe(
      "T1, T2 wait for each other: correct `after` in tasks.md",
    );
  });
});
