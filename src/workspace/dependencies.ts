import { z } from "zod";
import type { Files } from "./types.js";

/** One way in which a project declares what it needs, and the command that gets it. */
export interface Installation {
  tool: "npm" | "pnpm" | "yarn" | "pip" | "go" | "cargo";
  command: string;
  /** Hosts that the tool downloads from by default. */
  hosts: readonly string[];
  /** Files whose content decides the result, when the result can be kept; null when no lockfile pins it. */
  keyFiles: readonly string[] | null;
  /** True when the project's own files take part in installing, not only the lockfile. */
  runsOwnCode: boolean;
}

const PackageJson = z.object({
  packageManager: z.string().optional(),
  scripts: z.record(z.string(), z.string()).optional(),
  workspaces: z.unknown().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
type PackageJson = z.infer<typeof PackageJson>;

const NPM_HOSTS = ["registry.npmjs.org"];
const YARN_HOSTS = ["registry.yarnpkg.com", "repo.yarnpkg.com", "registry.npmjs.org"];
const PYPI_HOSTS = ["pypi.org", "files.pythonhosted.org"];
const GO_HOSTS = ["proxy.golang.org", "sum.golang.org", "storage.googleapis.com"];
const CARGO_HOSTS = ["index.crates.io", "static.crates.io", "crates.io"];
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall", "prepare", "prepublish"];

/** What a project declares, and why there is nothing to install if it declares nothing. */
export async function detectInstallations(
  files: Files,
): Promise<{ installations: Installation[]; reason: string }> {
  const text = async (path: string) => (await files.read(path))?.toString("utf8") ?? null;
  const detected = await Promise.all([
    detectNode(text),
    detectPython(text),
    detectGo(text),
    detectCargo(text),
  ]);
  const found = detected.filter((each) => each !== null);
  const installations = found.filter((each) => each !== "nothing declared");
  const reason =
    found.length > 0
      ? "The project declares no dependencies."
      : "No package.json, requirements.txt, pyproject.toml, go.mod or Cargo.toml with dependencies was found.";
  return { installations, reason };
}

type Reader = (path: string) => Promise<string | null>;
type Detected = Installation | "nothing declared" | null;

async function detectNode(text: Reader): Promise<Detected> {
  const manifest = await text("package.json");
  if (manifest === null) return null;
  const project = parsePackage(manifest);
  const declared = [project.dependencies, project.devDependencies, project.optionalDependencies];
  const needsNothing = declared.every((group) => Object.keys(group ?? {}).length === 0);
  if (needsNothing && project.workspaces === undefined) return "nothing declared";
  const scripts = Object.keys(project.scripts ?? {});
  const isLocal = declared.some((group) =>
    Object.values(group ?? {}).some((v) => /^(file|link|portal|\.)/.test(v)),
  );
  const runsOwnCode = isLocal || scripts.some((name) => INSTALL_SCRIPTS.includes(name));
  const common = { runsOwnCode, hosts: NPM_HOSTS };
  // The packages of a monorepo have folders of their own besides the root's node_modules.
  const hasPackages = project.workspaces !== undefined || (await text("pnpm-workspace.yaml")) !== null;
  const keyFiles = (lockfile: string) => (hasPackages ? null : ["package.json", ".npmrc", lockfile]);

  if ((await text("pnpm-lock.yaml")) !== null) {
    const command = withTool(project, "pnpm", "install --frozen-lockfile");
    return { ...common, tool: "pnpm", command, keyFiles: keyFiles("pnpm-lock.yaml") };
  }
  const yarnLock = await text("yarn.lock");
  if (yarnLock !== null) {
    const isModern = yarnLock.includes("__metadata:");
    const command = withTool(project, "yarn", isModern ? "install --immutable" : "install --frozen-lockfile");
    return { ...common, tool: "yarn", command, hosts: YARN_HOSTS, keyFiles: keyFiles("yarn.lock") };
  }
  for (const lockfile of ["npm-shrinkwrap.json", "package-lock.json"]) {
    if ((await text(lockfile)) === null) continue;
    return { ...common, tool: "npm", command: "npm ci --no-audit --no-fund", keyFiles: keyFiles(lockfile) };
  }
  const command = "npm install --no-package-lock --no-audit --no-fund";
  return { ...common, tool: "npm", command, keyFiles: null };
}

function parsePackage(manifest: string): PackageJson {
  try {
    const parsed = PackageJson.safeParse(JSON.parse(manifest));
    return parsed.success ? parsed.data : {};
  } catch (error) {
    // A broken manifest declares nothing; the syntax check reports it.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Uses the machine's tool if there is one, else fetches the version that the project names. */
function withTool(project: PackageJson, tool: "pnpm" | "yarn", rest: string): string {
  const version = /^(?:pnpm|yarn)@(\d+\.\d+\.\d+)/.exec(project.packageManager ?? "")?.[1];
  const fetched = `npx --yes ${tool}${version ? `@${version}` : ""}`;
  return `if command -v ${tool} >/dev/null; then ${tool} ${rest}; else ${fetched} ${rest}; fi`;
}

async function detectPython(text: Reader): Promise<Detected> {
  const pip = (what: string): Installation => ({
    tool: "pip",
    // Outside of the checkout, so that nothing of it can be committed; first in the box's PATH.
    command: `python3 -m venv "$HOME/venv" && "$HOME/venv/bin/pip" install --disable-pip-version-check ${what}`,
    hosts: PYPI_HOSTS,
    keyFiles: null,
    runsOwnCode: true,
  });
  const requirements = await text("requirements.txt");
  if (requirements !== null) {
    const isEmpty = requirements.split("\n").every((line) => /^\s*(#.*)?$/.test(line));
    return isEmpty ? "nothing declared" : pip("-r requirements.txt");
  }
  const pyproject = await text("pyproject.toml");
  if (pyproject === null) return null;
  const declares =
    /^\s*dependencies\s*=\s*\[\s*["']/m.test(pyproject) ||
    /^\[tool\.poetry\.dependencies\]\s*(?:python\s*=.*\s+)?[\w-]+\s*=/m.test(pyproject);
  return declares ? pip("-e .") : "nothing declared";
}

async function detectGo(text: Reader): Promise<Detected> {
  const module = await text("go.mod");
  if (module === null) return null;
  if (!/^\s*require\b/m.test(module)) return "nothing declared";
  return { tool: "go", command: "go mod download", hosts: GO_HOSTS, keyFiles: null, runsOwnCode: false };
}

async function detectCargo(text: Reader): Promise<Detected> {
  const manifest = await text("Cargo.toml");
  if (manifest === null) return null;
  if (!/^\[[^\]\n]*dependencies[^\]\n]*\]\s*\n+\s*[\w-]+/m.test(manifest)) return "nothing declared";
  const locked = (await text("Cargo.lock")) !== null ? " --locked" : "";
  return {
    tool: "cargo",
    command: `cargo fetch${locked}`,
    hosts: CARGO_HOSTS,
    keyFiles: null,
    runsOwnCode: true,
  };
}
