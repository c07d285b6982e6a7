import { estimateTokens } from "../shared/index.js";

interface Folder {
  folders: Map<string, Folder>;
  files: string[];
}

function treeOf(paths: readonly string[]): Folder {
  const root: Folder = { folders: new Map(), files: [] };
  for (const path of paths) {
    const parts = path.split("/");
    const name = parts.pop() ?? path;
    let folder = root;
    for (const part of parts) {
      const next = folder.folders.get(part) ?? { folders: new Map(), files: [] };
      folder.folders.set(part, next);
      folder = next;
    }
    folder.files.push(name);
  }
  return root;
}

function countFiles(folder: Folder): number {
  return [...folder.folders.values()].reduce((sum, child) => sum + countFiles(child), folder.files.length);
}

function render(folder: Folder, indent: string, depth: number): string[] {
  const lines = [...folder.folders].sort(byName).flatMap(([name, child]) => {
    if (depth === 0) return [`${indent}${name}/ (${countFiles(child)} files)`];
    return [`${indent}${name}/`, ...render(child, `${indent}  `, depth - 1)];
  });
  return [...lines, ...folder.files.sort().map((name) => `${indent}${name}`)];
}

function byName([a]: [string, Folder], [b]: [string, Folder]): number {
  return a < b ? -1 : 1;
}

/**
 * Shows which files a repository has, as an indented tree: as deep as fits under `maxTokens`, deeper folders as a count. The
 * same files give the same bytes.
 */
export function outlineFiles(paths: readonly string[], maxTokens: number): string {
  const root = treeOf(paths);
  const deepest = Math.max(0, ...paths.map((path) => path.split("/").length - 1));
  for (let depth = deepest; depth > 0; depth--) {
    const text = render(root, "", depth).join("\n");
    if (estimateTokens(text) <= maxTokens) return text;
  }
  const top = render(root, "", 0);
  const lines: string[] = [];
  let tokens = 0;
  for (const line of top) {
    tokens += estimateTokens(line) + 1;
    if (tokens > maxTokens) return [...lines, `… ${top.length - lines.length} more entries`].join("\n");
    lines.push(line);
  }
  return lines.join("\n");
}
