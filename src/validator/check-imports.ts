import type { Change, Files } from "../workspace/index.js";
import type { AddedImport, Declarations, Project } from "./declarations.js";
import { goDeclarations } from "./declared-go.js";
import { pythonDeclarations } from "./declared-python.js";
import { rustDeclarations } from "./declared-rust.js";
import { scriptDeclarations } from "./declared-script.js";
import { emptyCheck, withFindings } from "./empty-check.js";
import type { ChangeKnowledge, Check, Failure } from "./types.js";

/** Imports of these languages name no package that a manifest could declare. */
const NOT_TOLD: Declarations = () =>
  Promise.resolve({ kind: "unknown", reason: "An import does not say which artifact it comes from." });
const DECLARATIONS: Readonly<Record<string, (project: Project) => Declarations>> = {
  javascript: scriptDeclarations,
  typescript: scriptDeclarations,
  tsx: scriptDeclarations,
  component: scriptDeclarations,
  python: pythonDeclarations,
  go: goDeclarations,
  rust: rustDeclarations,
  java: () => NOT_TOLD,
  kotlin: () => NOT_TOLD,
  scala: () => NOT_TOLD,
};

/** Finds imports that the change added, of packages that no manifest declares. Null when it added none. */
export async function checkImports(
  { files, changed, known }: { files: Files; changed: readonly Change[]; known: ChangeKnowledge },
  signal: AbortSignal,
): Promise<Check | null> {
  const started = performance.now();
  const read = async (path: string) => (await files.read(path))?.toString("utf8") ?? null;
  const paths = new Set(await files.list());
  const project: Project = {
    paths,
    read: (path) => (paths.has(path) ? read(path) : Promise.resolve(null)),
    names: (path) => namesIn(known.source, path, read),
  };
  const opened = new Map<(project: Project) => Declarations, Declarations>();
  const failures: Failure[] = [];
  const reasons = new Set<string>();
  let judged = 0;
  for (const { path, status, mode } of changed) {
    signal.throwIfAborted();
    const open = DECLARATIONS[known.source.languageOf(path) ?? ""];
    if (status === "deleted" || !mode.startsWith("100") || !open) continue;
    const declarations = opened.get(open) ?? open(project);
    opened.set(open, declarations);
    for (const added of await addedImports(path, await read(path), known)) {
      if (added.source.startsWith(".")) continue;
      const found = await declarations(added);
      if (found.kind === "unknown") reasons.add(found.reason);
      else judged += 1;
      if (found.kind === "missing") failures.push(failureOf(added, found));
    }
  }
  if (judged === 0 && reasons.size === 0) return null;
  const durationMs = Math.round(performance.now() - started);
  const check = { ...emptyCheck("imports", "imports", "declared packages"), durationMs };
  if (judged === 0) return { ...check, reason: [...reasons].join(" ") };
  const what = failures.length === 1 ? "import is of a package that is" : "imports are of packages that are";
  return withFindings(check, failures, `${failures.length} ${what} not declared.`);
}

/** Names that a file defines itself, or brings in from elsewhere. */
async function namesIn(
  source: ChangeKnowledge["source"],
  path: string,
  read: (path: string) => Promise<string | null>,
): Promise<string[]> {
  const text = (await read(path)) ?? "";
  const imports = await source.imports(path, text);
  const brought = imports.flatMap(({ source: from, bindings }) =>
    bindings.map(({ local }) => local).filter((local) => local !== from),
  );
  return [...(await source.names(path, text)), ...brought];
}

function failureOf(
  { path, source, line }: AddedImport,
  missing: { name: string; manifest: string },
): Failure {
  const message = `\`${source}\` needs ${missing.name}, which ${missing.manifest} does not declare: declare it, or do without.`;
  return { title: `undeclared: ${missing.name}`, path, line, message };
}

/** Imports of sources that the file did not import on the base. */
async function addedImports(
  path: string,
  text: string | null,
  { source, before }: ChangeKnowledge,
): Promise<AddedImport[]> {
  const now = await source.imports(path, text ?? "");
  const old = await before(path);
  const known = new Set(old === null ? [] : (await source.imports(path, old)).map((each) => each.source));
  const seen = new Set<string>();
  return now.flatMap(({ source: from, line }) => {
    if (known.has(from) || seen.has(from)) return [];
    seen.add(from);
    return [{ path, source: from, line }];
  });
}
