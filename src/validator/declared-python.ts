import { type Declarations, FINE, type Project } from "./declarations.js";
import { PACKAGES_OF_MODULES, STANDARD_MODULES } from "./python-names.js";

/** Files that name packages, wherever they are: many repositories hold several. */
const MANIFESTS =
  /(^|\/)(pyproject\.toml|setup\.(py|cfg)|Pipfile|environment\.ya?ml|[\w.-]*requirements[\w.-]*\.(txt|in)|requirements\/[\w.-]+\.(txt|in))$/;
/** Whatever of a manifest could be a package's name: a name too many hides a finding, one too few makes a wrong one. */
const NAMES = /[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?/g;
/** Come with what runs the tests or installs the project. */
const ALWAYS = new Set(["pytest", "setuptools", "pip", "wheel"]);

/** Python: names in the manifests, with what is known of modules that are called otherwise than their package. */
export function pythonDeclarations(project: Project): Declarations {
  const manifests = [...project.paths].filter((path) => MANIFESTS.test(path)).sort(byDepth);
  const own = ownModules(project.paths);
  let declared: Promise<Set<string>> | null = null;
  return async ({ source }) => {
    const [module = ""] = source.split(".");
    if (module === "" || STANDARD_MODULES.has(module) || own.has(module)) return FINE;
    const [manifest] = manifests;
    if (manifest === undefined) return { kind: "unknown", reason: "No file declares Python packages." };
    declared ??= declaredIn(project, manifests);
    const known = await declared;
    return isDeclared(module, source, known) ? FINE : { kind: "missing", name: module, manifest };
  };
}

function byDepth(a: string, b: string): number {
  return a.split("/").length - b.split("/").length || a.localeCompare(b);
}

/** Modules and packages anywhere in the repository: which folders are on the path is not known. */
function ownModules(paths: ReadonlySet<string>): Set<string> {
  const own = new Set<string>();
  for (const path of paths) {
    if (!/\.(pyi?|so|pyx)$/.test(path)) continue;
    const parts = path.split("/");
    for (const folder of parts.slice(0, -1)) own.add(folder.replace(/-stubs$/, ""));
    own.add((parts.at(-1) ?? "").replace(/\..*$/, ""));
  }
  return own;
}

async function declaredIn({ read }: Project, manifests: readonly string[]): Promise<Set<string>> {
  const texts = await Promise.all(manifests.map(read));
  const names = texts.flatMap((text) => withoutComments(text ?? "").match(NAMES) ?? []);
  return new Set(names.map(normal));
}

function withoutComments(text: string): string {
  return text.replace(/(^|\s)#.*$/gm, "");
}

/** As the package index compares names. */
function normal(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

function isDeclared(module: string, source: string, declared: ReadonlySet<string>): boolean {
  const name = normal(module);
  if (ALWAYS.has(name) || declared.has(name)) return true;
  const others = PACKAGES_OF_MODULES[module.toLowerCase()] ?? [];
  const guesses = [
    `python-${name}`,
    `py${name}`,
    `py-${name}`,
    `${name}-python`,
    `types-${name}`,
    `${name}-py`,
  ];
  if ([...others, ...guesses].some((other) => declared.has(other))) return true;
  // Packages that share one top name, such as `google.cloud.storage` of `google-cloud-storage`, or plugins of one.
  const whole = normal(source);
  return [...declared].some(
    (each) => each.startsWith(`${name}-`) || (each.includes("-") && whole.startsWith(each)),
  );
}
