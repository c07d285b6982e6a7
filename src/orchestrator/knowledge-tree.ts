import { type Tree, otherRoots } from "../knowledge/index.js";
import type { Mirror } from "../workspace/index.js";

const PREFIXES = ["context/", "requirements/", "AGENTS.md"];
const NOTE_ID = /\bEXP-[0-9A-Z]{8}\b/;
/** Branches with deposits from issues that wait for their pull request; the standing ones below begin with it too. */
export const KNOWLEDGE_BRANCH = "agent/knowledge";
/** Where the fold waits while the base takes no push. */
export const FOLD_BRANCH = `${KNOWLEDGE_BRANCH}-fold`;
/** Where knowledge waits that a person has to look at. */
export const REVIEW_BRANCH = `${KNOWLEDGE_BRANCH}-review`;

/** Knowledge that counts for a run, and on which branch a person finds what is not on the base. */
interface Gathered {
  tree: Tree;
  elsewhere: ReadonlyMap<string, string>;
}

/** Commits that knowledge is read from: the merge base, the newest of the base branch, and the run's own. */
interface Sources {
  base: string;
  baseTip: string;
  head: string;
  branch: string;
  requirement: string;
  /** `knowledge.roots`. */
  roots: readonly string[];
}

/** Files of a commit below `context/` or other places of ours, and the notes that people keep under other roots. */
export async function readKnowledge(
  mirror: Mirror,
  revision: string,
  { own, roots }: { own: readonly string[]; roots: readonly string[] },
): Promise<Tree> {
  const files = await mirror.readFiles(revision, own);
  const others = otherRoots(roots);
  if (others.length === 0) return files;
  return new Map([...(await mirror.readFiles(revision, others, ".md")), ...files]);
}

/**
 * Knowledge that counts for a run: the base's, over it the branch's own, and unfolded deposits of the standing knowledge
 * branches. Instructions for agents (AGENTS.md) come from the base only.
 */
export async function gatherKnowledge(mirror: Mirror, from: Sources): Promise<Gathered> {
  const { roots } = from;
  const base = await readKnowledge(mirror, from.base, { own: PREFIXES, roots });
  const tree = new Map(base);
  const elsewhere = new Map<string, string>();
  const add = (files: ReadonlyMap<string, string>, branch: string) => {
    for (const [path, text] of files) {
      if (base.get(path) !== text) elsewhere.set(path, branch);
      tree.set(path, text);
    }
  };
  if (from.head !== from.base) {
    add(await readKnowledge(mirror, from.head, { own: ["context/", "requirements/"], roots }), from.branch);
  }
  // What became of this requirement meanwhile stands on the base, whatever its old branch says.
  for (const [path, text] of await mirror.readFiles(from.baseTip, [
    `requirements/events/${from.requirement}/`,
  ])) {
    tree.set(path, text);
  }
  for (const { name, files } of await allWaiting(mirror, from.baseTip)) add(files, name);
  return { tree, elsewhere };
}

/** What a repository that others share knows: `context/` of a commit of its base branch, and the deposits that wait there. */
export async function knowledgeWith(mirror: Mirror, base: string): Promise<Gathered> {
  const files = await mirror.readFiles(base, ["context/"]);
  const tree = new Map(files);
  const elsewhere = new Map<string, string>();
  for (const { name, files: waiting } of await allWaiting(mirror, base))
    for (const [path, text] of waiting) {
      if (files.has(path)) continue;
      tree.set(path, text);
      elsewhere.set(path, name);
    }
  return { tree, elsewhere };
}

/** Deposits of each standing knowledge branch. */
async function allWaiting(mirror: Mirror, baseTip: string): Promise<{ name: string; files: Tree }[]> {
  const found: { name: string; files: Tree }[] = [];
  for (const { name, sha } of await mirror.branches(KNOWLEDGE_BRANCH)) {
    // What these two hold stands in deposits of the base as well.
    if (name === FOLD_BRANCH || name === REVIEW_BRANCH) continue;
    found.push({ name, files: await waiting(mirror, { sha, baseTip }) });
  }
  return found;
}

/** Deposits of a knowledge branch that were not merged and filed yet: a merged branch may stay behind. */
async function waiting(mirror: Mirror, { sha, baseTip }: { sha: string; baseTip: string }): Promise<Tree> {
  if ((await mirror.ahead(baseTip, sha)) === 0) return new Map();
  const filed = [...(await mirror.readFiles(baseTip, ["context/experience/"])).keys()];
  const deposits = await mirror.readFiles(sha, ["context/deposits/"]);
  return new Map(
    [...deposits].filter(([, text]) => {
      const id = NOTE_ID.exec(text)?.[0];
      return id === undefined || !filed.some((path) => path.endsWith(`-${id}.md`));
    }),
  );
}
