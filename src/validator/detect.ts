import { z } from "zod";
import type { Files } from "../workspace/index.js";
import type { Command } from "./types.js";

const TESTS_LIMIT_MS = 15 * 60_000;
const TYPES_LIMIT_MS = 5 * 60_000;
const CUSTOM_LIMIT_MS = 10 * 60_000;
/** Names under which repositories keep their type check. */
const TYPE_SCRIPTS = ["typecheck", "type-check", "check-types", "check:types", "types", "tsc"];
const NODE_TEST = /(^|\/)(test\/.*|[^/]+[.-]test|test-[^/]+|test)\.[cm]?js$/;
const PYTHON_TEST = /(^|\/)(test_[^/]+|[^/]+_test)\.py$/;

const PackageJson = z.object({
  scripts: z.record(z.string(), z.string()).optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
});
type PackageJson = z.infer<typeof PackageJson>;

/**
 * Finds the commands that a repository is checked with. `overrides` replace a detected command of the same name, or
 * switch it off with an empty text; names that nothing detects are custom checks.
 */
export async function detectCommands(
  files: Files,
  overrides: Readonly<Record<string, string>>,
): Promise<Command[]> {
  const paths = await files.list();
  const read = async (path: string) =>
    paths.includes(path) ? ((await files.read(path))?.toString("utf8") ?? "") : "";
  const detected = [
    ...detectNode(paths, parsePackage(await read("package.json"))),
    ...(await detectPython(paths, read)),
    ...(paths.includes("go.mod") ? [tests("tests (go)", "go test -v ./...")] : []),
    ...(paths.includes("Cargo.toml") ? [tests("tests (rust)", "cargo test --no-fail-fast")] : []),
  ];
  // The first of a kind carries the plain name, which is what people override.
  const named = detected.map((command, i): Command => {
    const isFirst = detected.findIndex((other) => other.kind === command.kind) === i;
    return isFirst ? { ...command, name: command.kind } : command;
  });
  return applyOverrides(named, overrides);
}

function applyOverrides(detected: Command[], overrides: Readonly<Record<string, string>>): Command[] {
  const kept = detected
    .map((command): Command => ({ ...command, command: overrides[command.name] ?? command.command }))
    .filter((command) => command.command.trim() !== "");
  const added = Object.entries(overrides)
    .filter(([name, line]) => line.trim() !== "" && !detected.some((command) => command.name === name))
    .map(([name, line]): Command => {
      if (name === "tests") return tests(name, line);
      if (name === "types") return types(name, line);
      return { kind: "custom", name, command: line, timeoutMs: CUSTOM_LIMIT_MS };
    });
  return [...kept, ...added];
}

function tests(name: string, command: string): Command {
  return { kind: "tests", name, command, timeoutMs: TESTS_LIMIT_MS };
}

function types(name: string, command: string): Command {
  return { kind: "types", name, command, timeoutMs: TYPES_LIMIT_MS };
}

function parsePackage(manifest: string): PackageJson {
  if (manifest === "") return {};
  try {
    const parsed = PackageJson.safeParse(JSON.parse(manifest));
    return parsed.success ? parsed.data : {};
  } catch (error) {
    // The syntax check reports a broken manifest; here it only names no commands.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function detectNode(paths: readonly string[], project: PackageJson): Command[] {
  const commands: Command[] = [];
  const scripts = project.scripts ?? {};
  const typeScript = TYPE_SCRIPTS.find((name) => scripts[name]);
  const hasCompiler = "typescript" in { ...project.dependencies, ...project.devDependencies };
  if (typeScript) commands.push(types("types", `npm run --silent ${typeScript}`));
  else if (hasCompiler && paths.includes("tsconfig.json")) {
    commands.push(types("types", "npx --no-install tsc --noEmit -p tsconfig.json"));
  }
  const script = scripts["test"]?.trim() ?? "";
  // What `npm init` writes fails on purpose and tests nothing.
  const isPlaceholder = /no test specified/i.test(script);
  if (script !== "" && !isPlaceholder) commands.push(tests("tests", "npm test --silent"));
  else if (paths.some((path) => NODE_TEST.test(path))) {
    commands.push(tests("tests", "node --test --test-reporter=tap"));
  }
  return commands;
}

async function detectPython(
  paths: readonly string[],
  read: (path: string) => Promise<string>,
): Promise<Command[]> {
  const testFiles = paths.filter((path) => PYTHON_TEST.test(path));
  if (testFiles.length === 0) return [];
  const declarations = ["pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt"];
  const declared = (await Promise.all(declarations.map(read))).some((text) => /\bpytest\b/.test(text));
  const configured = paths.some((path) => /(^|\/)(conftest\.py|pytest\.ini)$/.test(path));
  const first = await read(testFiles[0] ?? "");
  const usesUnittest = /\bunittest\b/.test(first);
  if (declared || configured || !usesUnittest) return [tests("tests (python)", "python3 -m pytest -q")];
  // Discovery does not descend into a folder that is no package, so it starts there.
  const isLoose =
    testFiles.every((path) => path.startsWith("tests/")) && !paths.includes("tests/__init__.py");
  return [tests("tests (python)", `python3 -m unittest discover -v${isLoose ? " -s tests" : ""}`)];
}
