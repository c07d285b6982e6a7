/** What is read to know which packages a project declares. */
export interface Project {
  paths: ReadonlySet<string>;
  /** Null when there is no such file. */
  read(path: string): Promise<string | null>;
  /** Names that a file defines. */
  names(path: string): Promise<readonly string[]>;
}

/** One import as written, and the file that it stands in. */
export interface AddedImport {
  path: string;
  source: string;
  line: number;
}

/** Whether an import's package is declared: `unknown` where that cannot be told, with the reason. */
export type Declared =
  | { kind: "fine" }
  | { kind: "missing"; name: string; manifest: string }
  | { kind: "unknown"; reason: string };

/** Says of an import whether its package is declared. */
export type Declarations = (added: AddedImport) => Promise<Declared>;

/** What needs no declaration, or has one. */
export const FINE: Declared = { kind: "fine" };

/** The folders around a file, nearest first; the last is the root, ``. */
export function foldersAround(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return [...parts.map((_, index) => parts.slice(0, parts.length - index).join("/")), ""];
}

/** The nearest file of a name, in the folder of a path or around it; null when there is none. */
export function nearest({ paths }: Project, path: string, name: string): string | null {
  const found = foldersAround(path).map((folder) => (folder === "" ? name : `${folder}/${name}`));
  return found.find((each) => paths.has(each)) ?? null;
}
