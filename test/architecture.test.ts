import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The rows of docs/design.md: a module imports earlier rows only. */
const ROWS = [
  ["shared"],
  ["db", "git"],
  ["ledger", "memory", "queue"],
  ["knowledge", "requirements", "skills"],
  ["codemap", "workspace", "github", "model"],
  ["tools", "context", "services"],
  ["agent", "validator"],
  ["orchestrator"],
  ["config"],
  ["app", "action", "cli", "mcp", "dashboard", "forge"],
];
const ENTRY_POINTS = ["server.ts", "cli.ts", "action.ts"];
const rowOf = (module: string) => ROWS.findIndex((row) => row.includes(module));

function sourceFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? sourceFiles(path) : path.endsWith(".ts") ? [path] : [];
  });
}
const files = sourceFiles(join(root, "src")).map((file) => relative(root, file));
const moduleOf = (file: string) => file.split("/").at(1) ?? "";

let seen: ICruiseResult["modules"] = [];
beforeAll(async () => {
  const { output } = await cruise(
    ["src"],
    { baseDir: root, tsPreCompilationDeps: true, doNotFollow: { path: "node_modules" }, ruleSet: {} },
    undefined,
    { tsConfig: extractTSConfig(join(root, "tsconfig.json")) },
  );
  if (typeof output === "string") throw new Error("dependency-cruiser gave text instead of modules");
  seen = output.modules.filter((module) => module.source.startsWith("src/"));
});

/** Every import inside src as [from, to]. */
function edges(): [string, string][] {
  return seen.flatMap((module) =>
    module.dependencies
      .filter((d) => d.resolved.startsWith("src/"))
      .map((d): [string, string] => [module.source, d.resolved]),
  );
}

describe("architecture", () => {
  it("sees every file under src", () => {
    expect(seen.map((module) => module.source).sort()).toEqual([...files].sort());
    expect(edges().length).toBeGreaterThan(files.length / 2);
  });

  it("has no module outside the rows of the design", () => {
    const modules = new Set(files.filter((file) => file.split("/").length > 2).map(moduleOf));
    expect([...modules].filter((module) => rowOf(module) < 0)).toEqual([]);
  });

  it("imports earlier rows only, through index.ts only", () => {
    const wrong = edges().filter(([from, to]) => {
      const isTop = from.split("/").length === 2;
      if (isTop || moduleOf(from) === moduleOf(to)) return false;
      return (
        to.split("/").length === 2 ||
        rowOf(moduleOf(to)) >= rowOf(moduleOf(from)) ||
        to !== `src/${moduleOf(to)}/index.ts`
      );
    });
    expect(wrong).toEqual([]);
  });

  it("lets only compose.ts import config and every module", () => {
    const wrong = edges().filter(
      ([from, to]) => moduleOf(to) === "config" && moduleOf(from) !== "config" && from !== "src/compose.ts",
    );
    expect(wrong).toEqual([]);
    const tops = files.filter((file) => file.split("/").length === 2).map((file) => file.slice(4));
    expect(tops.filter((file) => file !== "compose.ts" && !ENTRY_POINTS.includes(file))).toEqual([]);
  });

  it("has no import cycle, types included", () => {
    expect(
      seen.filter((module) => module.dependencies.some((d) => d.circular)).map((module) => module.source),
    ).toEqual([]);
  });

  it("states each module's job in the first comment of its index.ts, with named exports only", () => {
    const wrong = files
      .filter((file) => /^src\/[^/]+\/index\.ts$/.test(file))
      .filter((file) => {
        const text = readFileSync(join(root, file), "utf8");
        return !/^\/\/ [A-Z].+\.\n/.test(text) || /export (\*|default)/.test(text);
      });
    expect(wrong).toEqual([]);
  });

  it("reads time, chance and the process in entry points only", () => {
    const wrong = files
      .filter((file) => !ENTRY_POINTS.includes(file.slice(4)))
      .filter((file) =>
        /new Date\(\)|Date\.now\(\)|Math\.random\(\)|process\.env/.test(
          readFileSync(join(root, file), "utf8"),
        ),
      );
    expect(wrong).toEqual([]);
  });

  it("keeps entry points at 40 lines and the main flow at 100", () => {
    const limits: [string, number][] = [
      ...ENTRY_POINTS.map((name): [string, number] => [`src/${name}`, 40]),
      ["src/orchestrator/run.ts", 100],
    ];
    const wrong = limits.filter(
      ([file, max]) =>
        files.includes(file) && readFileSync(join(root, file), "utf8").trimEnd().split("\n").length > max,
    );
    expect(wrong).toEqual([]);
  });
});
