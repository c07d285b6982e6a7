import { posix } from "node:path";
import { foldersOf } from "../shared/index.js";
import { isDepositPath } from "./deposit.js";
import { readFrontmatter } from "./frontmatter.js";
import { readLines } from "./lines.js";
import type { Problem, Tree } from "./types.js";

const LINK = /(?<!!)\[[^\]\n]{0,200}\]\((?<target>[^)\s]{1,400})\)/g;
const CODE_SPAN = /(?<!`)`(?!`)([^`\n]{3,200})`(?!`)/g;
/** `src/a/b.ts`, `src/a/b.ts:12`, `src/a/b.ts#name`: a file with an ending, in a folder. */
const POINTER = /^(?<path>[\w@.-]+(?:\/[\w@.-]+)+\.[A-Za-z]\w{0,5})(?::\d+(?:-\d+)?|#[\w$.~]+)?$/;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i;

/**
 * Links of documents that lead nowhere, and pointers to files that are gone, each at its line. `paths` are all files of the checkout.
 * A pointer into a folder that the repository never had is taken for somebody else's, and so is each of a service's document: it
 * counts from the root of that service.
 */
export function checkPointers(tree: Tree, paths: ReadonlySet<string>): Problem[] {
  const tops = new Set([...paths].map((path) => path.split("/", 1)[0] ?? ""));
  const folders = new Set([...paths].flatMap(foldersOf));
  const isThere = (path: string) => paths.has(path) || folders.has(path.replace(/\/$/, ""));
  const problems: Problem[] = [];
  for (const [file, text] of tree) {
    // A deposit may speak of files that its pull request brings; what a rule loads is looked at with the rule.
    if (!file.endsWith(".md") || isDepositPath(file) || file.startsWith("context/rules/")) continue;
    const isOfService =
      file.startsWith("context/tech/services/") && readFrontmatter(file, text).values.has("repo");
    for (const { text: line, number, isCode } of readLines(file, text).lines) {
      if (isCode) continue;
      for (const target of targetsIn(line)) {
        const path = posix.normalize(posix.join(posix.dirname(file), target));
        if (path === "." || isThere(path)) continue;
        const message = `The link to ${target} leads nowhere: correct it, or delete it.`;
        problems.push({ file, line: number, code: "link-broken", message });
      }
      if (isOfService) continue;
      for (const [, span = ""] of line.matchAll(CODE_SPAN)) {
        const path = POINTER.exec(span)?.groups?.["path"];
        if (path === undefined || isThere(path) || !tops.has(path.split("/", 1)[0] ?? "")) continue;
        const message = `${path} is gone: point to where it is now, or retire what is said about it.`;
        problems.push({ file, line: number, code: "pointer-stale", message });
      }
    }
  }
  return problems;
}

/** Targets inside the repository, without their anchors. */
function targetsIn(line: string): string[] {
  const plain = line.replace(CODE_SPAN, "");
  return [...plain.matchAll(LINK)].flatMap(({ groups }) => {
    const target = groups?.["target"] ?? "";
    if (ADDRESS.test(target)) return [];
    const path = target.replace(/[#?].*$/, "");
    try {
      return path === "" ? [] : [decodeURIComponent(path)];
    } catch {
      return [path];
    }
  });
}
