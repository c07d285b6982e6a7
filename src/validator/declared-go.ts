import { type Declarations, FINE, type Project, nearest } from "./declarations.js";

/** Go: the modules that the nearest `go.mod` requires, or replaces. */
export function goDeclarations(project: Project): Declarations {
  return async ({ path, source }) => {
    const [first = ""] = source.split("/");
    // Without a dot in it, it is the standard library's or made up by the module itself.
    if (!first.includes(".") || source.startsWith(".")) return FINE;
    const manifest = nearest(project, path, "go.mod");
    if (manifest === null) return { kind: "unknown", reason: "There is no go.mod." };
    const modules = modulesOf((await project.read(manifest)) ?? "");
    const isKnown = modules.some((module) => source === module || source.startsWith(`${module}/`));
    return isKnown ? FINE : { kind: "missing", name: source, manifest };
  };
}

/** The module itself, and those that it requires. */
function modulesOf(text: string): string[] {
  const lines = text.replace(/\/\/.*$/gm, "").split("\n");
  return lines.flatMap((line) => {
    const words = line.trim().split(/\s+/);
    const [first = "", second = ""] = words;
    const name = /^(module|require|replace)$/.test(first) ? second : first;
    return name.replaceAll('"', "") || [];
  });
}
