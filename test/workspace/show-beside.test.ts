import { afterEach, beforeEach, expect, it } from "vitest";
import type { Workspace } from "../../src/workspace/index.js";
import { type Fixture, makeFixture } from "./fixture.js";

let fixture: Fixture;
let workspace: Workspace;
beforeEach(async () => {
  fixture = makeFixture({ sandbox: { level: "auto", uid: 65534, network: [] } });
  workspace = await fixture.open();
});
afterEach(() => fixture.close());

it("the boxes of a checkout and its copies show another checkout, to read only, once they are told", async () => {
  // Where no box works its commands are refused, which other tests say.
  if (!(await fixture.workspaces.sandbox()).usable) return;
  const run = (box: Workspace["box"], command: string) =>
    box.run({ command, timeoutMs: 20_000 }, fixture.signal);
  const other = await fixture.open({ branch: "agent/REQ-2", run: "01RUNBBBBB" });
  await other.files.write("there.txt", "there\n");
  expect((await run(workspace.box, "ls /services")).exitCode).not.toBe(0);
  workspace.showBeside("wallet", other.path);
  const fork = await workspace.fork("copy", fixture.signal);
  for (const box of [workspace.box, fork.box]) {
    const { output } = await run(
      box,
      "cat /services/wallet/there.txt; touch /services/wallet/x || echo kept",
    );
    expect(output).toContain("there\n");
    expect(output).toContain("kept");
    // In the checkout itself there is nothing of it.
    expect((await run(box, "ls -d services workspace")).exitCode).not.toBe(0);
  }
  await other.close();
});
