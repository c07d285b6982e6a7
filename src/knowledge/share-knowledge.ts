import { INDEX_PATH } from "./context-index.js";
import { GLOSSARY_PATH } from "./glossary.js";
import { RULE_FILES } from "./rule-keys.js";
import type { Tree } from "./types.js";

/** Files of which two say more than one: each block of theirs stands alone. */
const JOINED: readonly string[] = [...Object.values(RULE_FILES), GLOSSARY_PATH];
/** What is one repository's own: its overview, what its runs used, notes of a session. */
const OWN = /^context\/(?:events|session)\//;

/** A tree with the knowledge that several repositories share beside its own, and the paths that are only theirs. */
export interface SharedTree {
  tree: Tree;
  shared: ReadonlySet<string>;
}

/**
 * Puts the knowledge of a shared repository beside a repository's own: rules and names of both count, and of two documents with one
 * path the own one.
 */
export function shareKnowledge(own: Tree, theirs: Tree): SharedTree {
  const tree = new Map(own);
  const shared = new Set<string>();
  for (const [path, text] of theirs) {
    if (!path.startsWith("context/") || OWN.test(path) || path === INDEX_PATH) continue;
    const mine = own.get(path);
    if (mine === undefined) {
      tree.set(path, text);
      shared.add(path);
    } else if (JOINED.includes(path)) tree.set(path, `${mine.trimEnd()}\n\n${text}`);
  }
  return { tree, shared };
}
