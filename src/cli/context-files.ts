import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { otherRoots } from "../knowledge/index.js";

/** A larger file is no note of a person or of ours. */
const MAX_BYTES = 1_000_000;
const KINDS = /\.(?:md|jsonl)$/;
/** Hand-over files of a session: of nobody's interest later. */
const LEFT_OUT = "context/session";
const AT_ONCE = 64;

/** Reads the knowledge of a checkout as it lies there, committed or not; `roots` are `knowledge.roots`. Links are not followed. */
export async function readContextFiles(root: string, roots: readonly string[]): Promise<Map<string, string>> {
  const others = await Promise.all(otherRoots(roots).map((folder) => listFiles(root, folder.slice(0, -1))));
  const notes = others.flat().filter((path) => path.endsWith(".md"));
  const paths = [...new Set([...(await listFiles(root, "context")), ...notes])];
  const tree = new Map<string, string>();
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    const some = paths.slice(at, at + AT_ONCE);
    const texts = await Promise.all(some.map((path) => readFile(join(root, path))));
    for (const [index, bytes] of texts.entries())
      if (bytes.length <= MAX_BYTES) tree.set(some[index] ?? "", bytes.toString("utf8"));
  }
  return tree;
}

async function listFiles(root: string, folder: string): Promise<string[]> {
  if (folder === LEFT_OUT) return [];
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
      throw error;
    },
  );
  const lists = await Promise.all(
    entries.map(async (entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return listFiles(root, path);
      return entry.isFile() && KINDS.test(entry.name) ? [path] : [];
    }),
  );
  return lists.flat().sort();
}
