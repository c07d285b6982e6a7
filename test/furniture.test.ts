import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { AgentConfig } from "../src/config/index.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

interface Step {
  run?: string;
  uses?: string;
}
interface Workflow {
  on: Record<string, unknown>;
  permissions?: Record<string, string>;
  jobs: Record<
    string,
    { if?: string; permissions?: Record<string, string>; "timeout-minutes"?: number; steps: Step[] }
  >;
}

const WORKFLOWS = [
  ...readdirSync(join(root, ".github/workflows")).map((name) => join(".github/workflows", name)),
  "docs/examples/accrue.yml",
];
const EXAMPLE = parse(read("docs/examples/accrue.yml")) as Workflow;

describe("workflows and the action", () => {
  it.each(WORKFLOWS)("%s asks for the permissions it needs, ends in time, and trusts no fork", (file) => {
    const workflow = parse(read(file)) as Workflow;
    expect(workflow.permissions).toBeDefined();
    expect(Object.keys(workflow.on)).not.toContain("pull_request_target");
    for (const job of Object.values(workflow.jobs)) {
      expect(job["timeout-minutes"]).toBeGreaterThan(0);
      for (const { uses } of job.steps) if (uses) expect(uses).toMatch(/@v\d/);
    }
  });

  it("put nothing of an event into a shell (T20)", () => {
    const action = parse(read("action.yml")) as { runs: { steps: Step[] } };
    const steps = WORKFLOWS.flatMap((file) =>
      Object.values((parse(read(file)) as Workflow).jobs).flatMap((job) => job.steps),
    );
    const runs = [...action.runs.steps, ...steps].flatMap(({ run }) => (run ? [run] : []));
    expect(runs.length).toBeGreaterThan(4);
    for (const run of runs) expect(run).not.toContain("github.event");
    for (const { run } of action.runs.steps) expect(run).not.toContain("${{");
  });

  it("keep secrets out of the project's own CI", () => {
    expect(read(".github/workflows/ci.yml")).not.toContain("secrets.");
  });

  it("give the example's job what app.yml gives the App, and the shipped label and mention", () => {
    const app = parse(read("app.yml")) as { default_permissions: Record<string, string> };
    const { metadata: _, ...needed } = app.default_permissions;
    const [job] = Object.values(EXAMPLE.jobs);
    const granted = Object.entries(job?.permissions ?? {}).map(([name, level]) => [
      name.replaceAll("-", "_"),
      level,
    ]);
    expect(Object.fromEntries(granted)).toEqual(needed);
    const { label, mention } = AgentConfig.parse({});
    expect(job?.if).toContain(`github.event.label.name == '${label}'`);
    expect(job?.if).toContain(`contains(github.event.comment.body, '${mention}')`);
  });
});

describe("the Dockerfile", () => {
  const lines = read("Dockerfile").replaceAll("\\\n", " ").split("\n");
  const of = (word: string) => lines.filter((line) => line.startsWith(`${word} `));

  it("builds and runs on Node 24, ends as a user without rights, and has a health check", () => {
    expect(of("FROM").map((line) => line.split(" ")[1])).toEqual([
      expect.stringMatching(/^node:24-/),
      expect.stringMatching(/^node:24-/),
    ]);
    expect(of("USER").at(-1)).toBe("USER node");
    expect(lines.findLastIndex((line) => line.startsWith("RUN "))).toBeLessThan(lines.indexOf("USER node"));
    expect(of("HEALTHCHECK")).toHaveLength(1);
    expect(of("CMD")).toEqual(['CMD ["node", "dist/server.js"]']);
  });

  it("holds no secret, and installs what the lockfile says", () => {
    expect([...of("ENV"), ...of("ARG")].join("\n")).not.toMatch(/KEY|SECRET|TOKEN|PASSWORD/);
    expect(read("Dockerfile")).toContain("RUN npm ci\n");
    for (const line of of("RUN").filter((run) => run.includes("apt-get install"))) {
      expect(line).toContain("--no-install-recommends");
      expect(line).toContain("rm -rf /var/lib/apt/lists/*");
    }
  });

  it("copies what is there, and everything that the package ships to run", () => {
    const copied = of("COPY")
      .filter((line) => !line.includes("--from="))
      .flatMap((line) => line.split(/\s+/).slice(1, -1));
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(copied).toEqual(expect.arrayContaining(["data", "migrations", "rules", "package.json"]));
  });
});

describe("package.json", () => {
  const {
    exports: entries,
    files,
    scripts,
  } = JSON.parse(read("package.json")) as {
    exports: Record<string, unknown>;
    files: string[];
    scripts: Record<string, string>;
  };

  it("exports one entry per module, with its types", () => {
    const modules = readdirSync(join(root, "src"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
    const expected = modules.map((name) => [
      `./${name}`,
      { types: `./dist/${name}/index.d.ts`, default: `./dist/${name}/index.js` },
    ]);
    expect(entries).toEqual({ ...Object.fromEntries(expected), "./package.json": "./package.json" });
  });

  it("packs what runs, and has the scripts that contributors are told of", () => {
    expect(files).toEqual(expect.arrayContaining(["dist", "data", "migrations", "rules", "app.yml"]));
    const names = ["build", "pretest", "test", "test:long", "check", "predemo", "demo", "docs", "smoke:live"];
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
  });
});
