import { readFile, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isManifest, MANIFESTS, scaffold, type ScaffoldInput } from "../knowledge/index.js";
import { readSome, writeSeen } from "./knowledge-files.js";

/** What `accrue init` did: files that are new, files that got lines of ours, and files that were left alone. */
export interface InitResult {
  created: string[];
  updated: string[];
  kept: string[];
}

/** Writes what a repository begins with. `sources` maps a folder of the package to a target folder. */
export async function initRepository(
  repository: string,
  sources: readonly { from: string; to: string }[],
  input: ScaffoldInput,
): Promise<InitResult> {
  const shipped = new Map<string, string>();
  for (const { from, to } of sources) {
    for (const path of await filesIn(from))
      shipped.set(join(to, path), await readFile(join(from, path), "utf8"));
  }
  const workflows = (await filesIn(join(repository, ".github", "workflows"))).map(
    (path) => `.github/workflows/${path}`,
  );
  const documents = [
    "context/business/overview.md",
    "context/tech/stack.md",
    ...input.services.map((service) => `context/tech/services/${service.trim()}.md`),
  ];
  const wanted = [...shipped.keys(), ...MANIFESTS, ...workflows.filter(isManifest), ...documents];
  const tree = await readSome(repository, [...new Set([...wanted, "CLAUDE.md", ".gitignore"])]);
  const { writes, created, updated, kept } = scaffold(tree, shipped, input);
  await writeSeen(repository, tree, writes);
  return { created, updated, kept };
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
}
