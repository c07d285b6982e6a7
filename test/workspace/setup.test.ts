import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setUp, type Workspace } from "../../src/workspace/index.js";
import { canBox, type Fixture, makeFixture } from "./fixture.js";

let fixture: Fixture;
let workspace: Workspace;

beforeEach(async () => {
  fixture = makeFixture();
  workspace = await fixture.open();
});
afterEach(() => fixture.close());

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) await workspace.files.write(path, content);
}

const install = (options: Partial<Parameters<typeof setUp>[1]> = {}, on = workspace) =>
  setUp(on, { commands: [], network: [], cache: null, ...options }, fixture.signal);

describe("setting a project up", () => {
  it("does nothing, and says why, where nothing is declared", async () => {
    expect(await install()).toMatchObject({
      outcome: "not-run",
      reason: expect.stringContaining("No package.json"),
    });
    await write({ "package.json": '{"name":"x"}', "requirements.txt": "# none\n", "go.mod": "module x\n" });
    await write({
      "pyproject.toml": "[tool.ruff]\n",
      "Cargo.toml": '[package]\nname = "x"\n[dependencies]\n',
    });
    expect(await install()).toEqual({
      outcome: "not-run",
      reason: "The project declares no dependencies.",
      commands: [],
      fromCache: false,
    });
  });

  it("runs the repository's own commands instead of the detected ones", async () => {
    await write({ "package.json": '{"dependencies":{"x":"1"}}' });
    const result = await install({ commands: ["echo prepared > made.txt", "cat made.txt"] });
    expect(result).toMatchObject({ outcome: "passed", fromCache: false });
    expect(result.commands.map((each) => each.output)).toEqual(["", "prepared\n"]);
  });

  it("stops at the command that fails and keeps its output", async () => {
    const result = await install({ commands: ["echo broken; exit 4", "echo never"] });
    expect(result).toMatchObject({ outcome: "failed", reason: "`echo broken; exit 4` exited with 4." });
    expect(result.commands).toMatchObject([{ output: "broken\n", exitCode: 4 }]);
  });
});

describe("npm's packages", () => {
  let registry: Registry;
  beforeEach(async () => {
    registry = await startRegistry(fixture.root);
    await write(projectFiles(registry));
    await workspace.commit({ message: "A project" });
  });
  afterEach(() => registry.close());

  it("are installed in the box from the allowed registry and are not committed", async () => {
    const result = await install({ network: [registry.host] });
    expect(result).toMatchObject({
      outcome: "passed",
      commands: [{ command: "npm ci --no-audit --no-fund" }],
    });
    const ran = await workspace.box.run(
      { command: "node -p 'require(\"tiny\")'", timeoutMs: 10_000 },
      fixture.signal,
    );
    expect(ran.output).toBe("tiny works\n");
    expect(await workspace.changes()).toEqual([]);
  });

  it("are not installed from a registry that is not allowed, where there is a box", async () => {
    expect(workspace.box.level).toBe(canBox ? "bwrap" : "none");
    if (!canBox) return;
    const result = await install();
    expect(result).toMatchObject({ outcome: "failed", reason: expect.stringContaining("npm ci") });
    expect(registry.requests).toEqual([]);
  });

  it("come from the cache for the same lockfile, and anew for another", async () => {
    const options = { network: [registry.host], cache: join(fixture.root, "cache") };
    expect(await install(options)).toMatchObject({ outcome: "passed", fromCache: false });
    const asked = registry.requests.length;
    await workspace.push(fixture.signal);
    const other = await fixture.open({ run: "01RUNB", branch: "agent/REQ-1" });
    expect(await install(options, other)).toMatchObject({ outcome: "passed", fromCache: true, commands: [] });
    expect(registry.requests.length).toBe(asked);
    const ran = await other.box.run(
      { command: "node -p 'require(\"tiny\")' && touch node_modules/tiny/x", timeoutMs: 10_000 },
      fixture.signal,
    );
    expect(ran).toMatchObject({ exitCode: 0, output: "tiny works\n" });
    await other.files.write(".npmrc", `${(await other.files.read(".npmrc"))?.toString()}fund=false\n`);
    expect(await install(options, other)).toMatchObject({ fromCache: false });
  });

  it("are kept for one commit only when the project's own scripts take part", async () => {
    const manifest = JSON.parse((await workspace.files.read("package.json"))?.toString() ?? "") as object;
    const scripts = { postinstall: "echo poisoned > node_modules/tiny/index.js" };
    await write({ "package.json": JSON.stringify({ ...manifest, scripts }) });
    await workspace.commit({ message: "A script" });
    const options = { network: [registry.host], cache: join(fixture.root, "cache") };
    expect(await install(options)).toMatchObject({ outcome: "passed", fromCache: false });
    expect(await install(options)).toMatchObject({ fromCache: true });
    await write({ "README.md": "another commit" });
    await workspace.commit({ message: "More" });
    expect(await install(options)).toMatchObject({ fromCache: false });
    expect(readdirSync(join(fixture.root, "cache"))).toHaveLength(2);
  });
});

interface Registry {
  host: string;
  url: string;
  integrity: string;
  requests: string[];
  close(): Promise<void>;
}

/** A registry that has one package, `tiny`. */
async function startRegistry(root: string): Promise<Registry> {
  const folder = join(root, "tiny");
  mkdirSync(join(folder, "package"), { recursive: true });
  writeFileSync(join(folder, "package/package.json"), '{"name":"tiny","version":"1.0.0"}');
  writeFileSync(join(folder, "package/index.js"), 'module.exports = "tiny works";');
  execFileSync("tar", ["-czf", "tiny.tgz", "package"], { cwd: folder });
  const archive = readFileSync(join(folder, "tiny.tgz"));
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.end(request.url?.endsWith("tiny-1.0.0.tgz") ? archive : "{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/`,
    integrity: `sha512-${createHash("sha512").update(archive).digest("base64")}`,
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function projectFiles(registry: Registry): Record<string, string> {
  const resolved = `${registry.url}tiny/-/tiny-1.0.0.tgz`;
  return {
    "package.json": '{"name":"shop","version":"1.0.0","dependencies":{"tiny":"1.0.0"}}',
    ".npmrc": `registry=${registry.url}\nfetch-retries=0\n`,
    "package-lock.json": JSON.stringify({
      name: "shop",
      version: "1.0.0",
      lockfileVersion: 3,
      packages: {
        "": { name: "shop", version: "1.0.0", dependencies: { tiny: "1.0.0" } },
        "node_modules/tiny": { version: "1.0.0", resolved, integrity: registry.integrity },
      },
    }),
  };
}
