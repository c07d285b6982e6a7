import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtinTools, createRegistry } from "../../src/tools/index.js";
import { openLocalWorkspace } from "../support/local-workspace.js";
import { canBox, makeFixture } from "../workspace/fixture.js";

const NEVER = new AbortController().signal;
let fixture: ReturnType<typeof makeFixture>;
let workspace: Awaited<ReturnType<typeof openLocalWorkspace>>;
beforeEach(async () => {
  workspace = await openLocalWorkspace();
});
afterEach(async () => {
  fixture.close();
  await workspace.close();
});

async function run(level: "auto" | "none", command: string) {
  fixture = makeFixture({ sandbox: { level, uid: 65534, network: [] } });
  const { box } = await fixture.open();
  const call = { id: "t", name: "run", input: { command, timeout_seconds: 600 }, problem: null };
  const context = { ...workspace.context, box };
  const [result] = await createRegistry(builtinTools()).execute([call], context, NEVER);
  return result?.content ?? "";
}
const LEVELS = canBox ? (["auto", "none"] as const) : (["none"] as const);
const SERVER = "python3 -m http.server 8080 & sleep 0.1; echo done";
const CHATTER = "(while :; do echo noise; sleep 0.05; done) & sleep 0.1; echo done";

describe.each(LEVELS)("run in a real box of level %s", (level) => {
  // The time limit of the command is far beyond the test's.
  it.each([[SERVER], [CHATTER], ...(level === "auto" ? [["nohup setsid sleep 4715 & echo done"]] : [])])(
    "RT-91: does not wait for what %j leaves in the background, and ends it",
    async (command) => {
      expect(await run(level, command)).toMatch(/^exit code 0\n[^]*done/);
      const left = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
      expect(left).not.toMatch(/http\.server 8080|sleep 4715|echo noise/);
    },
    15_000,
  );

  it("RT-92: keeps head and tail of 50 MB on one line, and all that was kept in a file", async () => {
    const text = await run(level, "printf head; head -c 50000000 /dev/zero | tr '\\0' x; printf tail");
    expect(text.length).toBeLessThan(41_000);
    expect(text).toMatch(/^exit code 0\nheadxxx/);
    expect(text).toMatch(/xxxtail\n\(\d+ characters, cut. The full text: read_file artefact:run-/);
    const [file = ""] = await readdir(workspace.context.artefacts);
    expect((await stat(join(workspace.context.artefacts, file))).size).toBeLessThan(1_100_000);
  });
});
