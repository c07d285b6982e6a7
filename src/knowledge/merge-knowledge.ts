import { sha256 } from "../shared/index.js";
import { mergeNotes } from "./merge-notes.js";
import { mergeRules } from "./merge-rules.js";
import { INDEX_PATH } from "./context-index.js";
import { RULE_FILES } from "./rule-keys.js";
import type { Problem, Tree } from "./types.js";

/** What a merge of two states of the knowledge changes in ours, and what a person has to look at. */
export interface KnowledgeMerge {
  writes: Map<string, string | null>;
  problems: Problem[];
}

/**
 * Brings what another branch made of the knowledge into ours. Generated files are left out: the fold writes them anew.
 * Contract: a file with left-over merge markers on any side stays as ours is, and is reported.
 */
export function mergeKnowledge(base: Tree, ours: Tree, theirs: Tree): KnowledgeMerge {
  const merge: KnowledgeMerge = { writes: new Map(), problems: [] };
  const paths = [...new Set([...ours.keys(), ...theirs.keys()])].filter(
    (path) => path.startsWith("context/") && path.endsWith(".md") && path !== INDEX_PATH,
  );
  for (const path of paths.sort()) {
    const [before, mine, other] = [base.get(path), ours.get(path), theirs.get(path)];
    if (mine === other || before === other) continue;
    if (before === mine) {
      merge.writes.set(path, other ?? null);
      continue;
    }
    if (mine === undefined || other === undefined) {
      const message =
        "The file was changed on one side and deleted on the other: it is kept, delete it if it shall go.";
      merge.problems.push({ file: path, line: 1, code: "merge-conflict", message });
      if (mine === undefined && other !== undefined) merge.writes.set(path, other);
      continue;
    }
    const texts = { base: before ?? "", ours: mine, theirs: other };
    const isRuleFile = Object.values(RULE_FILES).includes(path);
    const { text, problems } = isRuleFile ? mergeRules(path, texts) : mergeNotes(path, texts);
    merge.problems.push(...problems);
    if (text !== null && text !== mine) merge.writes.set(path, text);
  }
  return merge;
}

/** Names a state of files, so that what was computed from it is written only while it still holds. */
export function stateOf(tree: Tree, paths: Iterable<string>): Map<string, string | null> {
  return new Map([...paths].map((path) => [path, hashOf(tree.get(path))]));
}

/** True when the files are as they were seen: compare before writing, and compute anew when they are not. */
export function isStill(tree: Tree, seen: ReadonlyMap<string, string | null>): boolean {
  return [...seen].every(([path, hash]) => hashOf(tree.get(path)) === hash);
}

function hashOf(text: string | undefined): string | null {
  return text === undefined ? null : sha256(text);
}
