import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "accrue-package-"));
const project = join(folder, "elsewhere");
let packed: string[] = [];

/** npm as a person has it, not as the npm that may run these tests has set it. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")));

beforeAll(async () => {
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: root,
    env,
  });
  const [tarball] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  packed = tarball.files.map(({ path }) => path);
  mkdirSync(project);
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ name: "elsewhere", private: true, type: "module" }),
  );
  const install = [
    "install",
    "--ignore-scripts",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    join(folder, tarball.filename),
  ];
  await run("npm", install, { cwd: project, env });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a module of the project that installed the package. */
async function evaluate(code: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], { cwd: project, env });
  return JSON.parse(stdout);
}

describe("the packed package", () => {
  it("holds what runs, and no test, source or workplace", () => {
    for (const path of [
      "dist/cli.js",
      "dist/server.js",
      "data/prices.json",
      "app.yml",
      "LICENSE",
      "README.md",
    ]) {
      expect(packed).toContain(path);
    }
    for (const folderName of ["rules/agents/", "rules/scaffold/.github/", "migrations/ledger/", "docs/"]) {
      expect(packed.filter((path) => path.startsWith(folderName)).length).toBeGreaterThan(0);
    }
    expect(packed.filter((path) => /^(src|test|bench|scripts|\.ci|node_modules)\//.test(path))).toEqual([]);
  });

  it("lets one module be used alone", async () => {
    const rules = await evaluate(`
      import { parseRules } from "accrue-agent/knowledge";
      const text = "## R-7K3M2P Exports\\n\\n- level: high\\n- keywords: export\\n- alert: through src/export\\n";
      process.stdout.write(JSON.stringify(parseRules("context/rules/risk-rules.md", text, "risk")));
    `);
    expect(JSON.stringify(rules)).toContain("R-7K3M2P");
  });

  it("lets every module be found, with its types, and nothing behind its door", async () => {
    const { exports: entries } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      exports: object;
    };
    const names = Object.keys(entries).filter((name) => name !== "./package.json");
    const code = `
      const found = ${JSON.stringify(names)}.map((name) => import.meta.resolve("accrue-agent" + name.slice(1)));
      let inner = "reachable";
      try { import.meta.resolve("accrue-agent/dist/compose.js"); } catch (error) { inner = error.code; }
      process.stdout.write(JSON.stringify({ found, inner }));
    `;
    const { found, inner } = (await evaluate(code)) as { found: string[]; inner: string };
    expect(found).toHaveLength(names.length);
    expect(inner).toBe("ERR_PACKAGE_PATH_NOT_EXPORTED");
    for (const url of found)
      expect(readFileSync(new URL(url.replace(/\.js$/, ".d.ts")), "utf8")).toContain("export");
  });

  it("brings the command", async () => {
    const bin = join(project, "node_modules/.bin/accrue");
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    expect((await run(bin, ["--version"], { env })).stdout.trim()).toBe(version);
    expect(
      (await run(bin, ["init"], { cwd: project, env }).catch((error: { stderr: string }) => error)).stderr,
    ).toContain("is in no git working tree");
  });
});
