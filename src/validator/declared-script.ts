import { builtinModules } from "node:module";
import { z } from "zod";
import { type Declarations, FINE, type Project, foldersAround } from "./declarations.js";

const Named = z.record(z.string(), z.unknown()).catch({});
const Manifest = z.object({
  name: z.string().catch(""),
  dependencies: Named.optional(),
  devDependencies: Named.optional(),
  peerDependencies: Named.optional(),
  optionalDependencies: Named.optional(),
});
const Compiler = z.object({
  compilerOptions: z.object({ paths: Named.optional(), baseUrl: z.string().optional() }).catch({}).optional(),
});
const BUILTINS = new Set(builtinModules.map((name) => name.split("/")[0] ?? name));
/** A package's name, and nothing that a bundler or another runtime makes up: `@/a`, `~/a`, `$lib`, `#a`, `virtual:a`. */
const PACKAGE = /^((?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*)(?:\/|$)/i;
const COMMENTS = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=\s*[}\]])/g;
const MANIFEST = "package.json";

/** JavaScript and TypeScript: the `package.json` files around a file, workspaces, path aliases. */
export function scriptDeclarations(project: Project): Declarations {
  const own = ownPackages(project);
  const declared = declaredAround(project);
  const aliases = aliasesAround(project);
  return async ({ path, source }) => {
    const bare = source.replace(/[?!].*$/, "");
    const [, name] = PACKAGE.exec(bare) ?? [];
    if (name === undefined || bare.includes(":") || BUILTINS.has(name)) return FINE;
    const known = await declared(path);
    if (known === null) return { kind: "unknown", reason: `There is no ${MANIFEST}.` };
    const typed = `@types/${name.replace(/^@(.+)\/(.+)$/, "$1__$2")}`;
    if (known.names.has(name) || known.names.has(typed) || (await own).has(name)) return FINE;
    if ((await aliases(path)).some((isAlias) => isAlias(bare))) return FINE;
    return { kind: "missing", name, manifest: known.manifest };
  };
}

/** Names of the repository's own packages: one may import another without more. */
async function ownPackages({ paths, read }: Project): Promise<Set<string>> {
  const manifests = [...paths].filter((path) => path === MANIFEST || path.endsWith(`/${MANIFEST}`));
  const texts = await Promise.all(manifests.map(read));
  return new Set(texts.map((text) => manifestOf(text)?.name ?? ""));
}

/** What a file's nearest manifest, and those around it, declare. */
function declaredAround({
  paths,
  read,
}: Project): (path: string) => Promise<{ manifest: string; names: Set<string> } | null> {
  return async (path) => {
    const files = foldersAround(path)
      .map((folder) => (folder === "" ? MANIFEST : `${folder}/${MANIFEST}`))
      .filter((file) => paths.has(file));
    const [manifest] = files;
    if (manifest === undefined) return null;
    const all = (await Promise.all(files.map(read))).map(manifestOf);
    // What cannot be read declares nobody knows what.
    if (all.includes(null)) return null;
    const names = all.flatMap((each) => [
      each?.name ?? "",
      ...Object.keys({
        ...each?.dependencies,
        ...each?.devDependencies,
        ...each?.peerDependencies,
        ...each?.optionalDependencies,
      }),
    ]);
    return { manifest, names: new Set(names) };
  };
}

function manifestOf(text: string | null): z.infer<typeof Manifest> | null {
  const parsed = Manifest.safeParse(jsonOf(text ?? "{}"));
  return parsed.success ? parsed.data : null;
}

/** What `paths` and `baseUrl` of the settings around a file make of a bare name. */
function aliasesAround({ paths, read }: Project): (path: string) => Promise<((source: string) => boolean)[]> {
  return async (path) => {
    const files = [...paths].filter((file) => /(^|\/)[jt]sconfig(\.[\w-]+)?\.json$/.test(file));
    const folders = new Set(foldersAround(path));
    const around = files.filter((file) => folders.has(file.split("/").slice(0, -1).join("/")));
    return (await Promise.all(around.map(async (file) => aliasesOf(file, await read(file), paths)))).flat();
  };
}

function aliasesOf(
  file: string,
  text: string | null,
  paths: ReadonlySet<string>,
): ((source: string) => boolean)[] {
  const parsed = Compiler.safeParse(jsonOf(text ?? "{}"));
  const { paths: mapped = {}, baseUrl } = parsed.success ? (parsed.data.compilerOptions ?? {}) : {};
  const patterns = Object.keys(mapped).map((pattern) => {
    const [start = "", end] = pattern.split("*");
    return (source: string) =>
      end === undefined ? source === start : source.startsWith(start) && source.endsWith(end);
  });
  if (baseUrl === undefined) return patterns;
  const folder = [...file.split("/").slice(0, -1), ...baseUrl.split("/")].filter(
    (part) => part !== "" && part !== ".",
  );
  const isThere = (source: string) => {
    const start = [...folder, source].join("/");
    return [...paths].some((path) => path.startsWith(`${start}/`) || path.startsWith(`${start}.`));
  };
  return [...patterns, isThere];
}

/** JSON with the comments and trailing commas that tools allow in their settings; null when it is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "").replace(COMMENTS, (_, kept?: string) => kept ?? ""));
  } catch {
    return null;
  }
}
