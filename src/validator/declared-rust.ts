import { TomlError, parse } from "smol-toml";
import { type Declarations, FINE, type Project, nearest } from "./declarations.js";

const OWN = new Set(["crate", "self", "super", "std", "core", "alloc", "proc_macro", "test"]);
const TABLES = ["dependencies", "dev-dependencies", "build-dependencies"];
type Table = Record<string, unknown>;

/** Rust: the crates that the nearest `Cargo.toml` names. */
export function rustDeclarations(project: Project): Declarations {
  return async ({ path, source }) => {
    const [name = ""] = source.replace(/^::/, "").replace(/^r#/, "").split("::");
    // A name in upper case is a type of this file, such as an enum whose variants are brought in.
    if (OWN.has(name) || !/^[a-z_]\w*$/.test(name)) return FINE;
    if (isOwnModule(project, name) || (await project.names(path)).includes(name)) return FINE;
    const manifest = nearest(project, path, "Cargo.toml");
    if (manifest === null) return { kind: "unknown", reason: "There is no Cargo.toml." };
    const crates = cratesOf((await project.read(manifest)) ?? "");
    if (crates === null) return { kind: "unknown", reason: `${manifest} cannot be read.` };
    return crates.has(name) ? FINE : { kind: "missing", name, manifest };
  };
}

/** A module of the project may be named from where it is declared. */
function isOwnModule({ paths }: Project, name: string): boolean {
  return [...paths].some((path) => path.endsWith(`/${name}.rs`) || path.endsWith(`/${name}/mod.rs`));
}

function cratesOf(text: string): Set<string> | null {
  try {
    const manifest = parse(text);
    const targets = Object.values(asTable(manifest["target"])).map(asTable);
    const tables = [manifest, ...targets].flatMap((owner) => TABLES.map((name) => asTable(owner[name])));
    const own = [asTable(manifest["package"])["name"], asTable(manifest["lib"])["name"]].map((name) =>
      typeof name === "string" ? name : "",
    );
    const names = [...own, ...tables.flatMap((table) => Object.keys(table))];
    return new Set(names.map((name) => name.replaceAll("-", "_")));
  } catch (error) {
    if (error instanceof TomlError) return null;
    throw error;
  }
}

function asTable(value: unknown): Table {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
