import { z } from "zod";
import { type Look, tests, types } from "./commands.js";
import type { Command, PartRun } from "./types.js";

/** Names under which repositories keep their type check. */
const TYPE_SCRIPTS = ["typecheck", "type-check", "check-types", "check:types", "types", "tsc"];
const NODE_TEST = /(^|\/)(test\/.*|[^/]+[.-]test|test-[^/]+|test)\.[cm]?js$/;
/** A script that is one runner with options only takes files after it. */
const TAKES_FILES = /^(?:vitest(?: run)?|jest|mocha|node(?: -\S+)* --test)(?: -\S+)*$/;
const COMPILED = ["typescript", "tsx"];
const NODE_TESTS = "node --test --test-reporter=tap";

const PackageJson = z.object({
  scripts: z.record(z.string(), z.string()).optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
});
type PackageJson = z.infer<typeof PackageJson>;

/** How a package manager runs a script, and how it passes on what comes after. */
interface Manager {
  run(script: string): string;
  test: string;
  passOn: string;
}

const NPM: Manager = {
  run: (script) => `npm run --silent ${script}`,
  test: "npm test --silent",
  passOn: "npm test --silent --",
};
const PNPM: Manager = {
  run: (script) => `pnpm --silent run ${script}`,
  test: "pnpm --silent run test",
  passOn: "pnpm --silent run test",
};
const YARN: Manager = {
  run: (script) => `yarn run ${script}`,
  test: "yarn run test",
  passOn: "yarn run test",
};

/** Finds the checks of JavaScript and TypeScript. */
export async function detectNode(look: Look): Promise<Command[]> {
  const project = parsePackage(await look.read("package.json"));
  const manager = managerOf(look);
  const commands: Command[] = [];
  const scripts = project.scripts ?? {};
  const typeScript = TYPE_SCRIPTS.find((name) => scripts[name]);
  const hasCompiler = "typescript" in { ...project.dependencies, ...project.devDependencies };
  if (typeScript) commands.push(types("types", manager.run(typeScript), COMPILED));
  else if (hasCompiler && look.has("tsconfig.json")) {
    commands.push(types("types", "npx --no-install tsc --noEmit -p tsconfig.json", COMPILED));
  }
  const script = scripts["test"]?.trim() ?? "";
  // What `npm init` writes fails on purpose and tests nothing.
  const isPlaceholder = /no test specified/i.test(script);
  const part = (start: string): PartRun => ({ start, takes: "script-files" });
  if (script !== "" && !isPlaceholder) {
    commands.push(tests("tests", manager.test, TAKES_FILES.test(script) ? part(manager.passOn) : undefined));
  } else if (look.paths.some((path) => NODE_TEST.test(path))) {
    commands.push(tests("tests", NODE_TESTS, part(NODE_TESTS)));
  }
  return commands;
}

/** How a script of `package.json` is run; null when it has none of that name. */
export async function nodeScript(look: Look, name: string): Promise<string | null> {
  const { scripts = {} } = parsePackage(await look.read("package.json"));
  return scripts[name]?.trim() ? managerOf(look).run(name) : null;
}

function managerOf({ has }: Look): Manager {
  return has("pnpm-lock.yaml") ? PNPM : has("yarn.lock") ? YARN : NPM;
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
