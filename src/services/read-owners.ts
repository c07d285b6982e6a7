import type { Tree } from "../knowledge/index.js";
import { filesLike, linesOf } from "./lines.js";

/** Who answers for all of it, as CODEOWNERS says; the last line that fits wins, as GitHub reads it. */
export function readOwners(files: Tree): string[] {
  const [found] = filesLike(files, /^(?:\.github\/|docs\/)?CODEOWNERS$/);
  if (!found) return [];
  const owners = linesOf(found[1]).flatMap(({ text }) => {
    const [pattern = "", ...names] = text.replace(/#.*$/, "").trim().split(/\s+/);
    return /^(?:\*|\/\*\*?|\/)$/.test(pattern) ? [names] : [];
  });
  return (owners.at(-1) ?? []).filter((name) => /^@?[\w./@+-]+$/.test(name));
}
