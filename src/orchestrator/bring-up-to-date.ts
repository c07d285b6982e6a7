import { type Tree, mergeKnowledge } from "../knowledge/index.js";
import type { Mirror } from "../workspace/index.js";

const CONTEXT = "context/";
const REQUIREMENTS = "requirements/";
/** Written anew by the fold: what a side made of them says nothing. */
const GENERATED: readonly string[] = ["context/INDEX.md", "requirements/INDEX.md"];

/** A branch with its base in it, or why a person has to do that. */
export type UpToDate =
  /** `problems` are sentences about what both sides changed: it is kept twice. */
  { kind: "merged"; sha: string; problems: string[] } | { kind: "stuck"; paths: string[] };

/**
 * Merges a base into a branch: the code as git does, the knowledge by the ids of rules and the headings of notes, path by path.
 * Contract: nothing is pushed; conflicts in code, and files with left-over conflict markers, are left to people.
 */
export async function bringUpToDate(
  mirror: Mirror,
  { branch, base, message }: { branch: string; base: string; message: string },
): Promise<UpToDate> {
  const sides = { ours: branch, theirs: base, message };
  const plain = await mirror.merge(sides);
  if (plain.kind === "unrelated") return { kind: "stuck", paths: [] };
  // Either holds the other: nothing was made.
  if (plain.kind === "merged" && (plain.sha === branch || plain.sha === base))
    return { kind: "merged", sha: plain.sha, problems: [] };
  const read = (revision: string) => mirror.readFiles(revision, [CONTEXT, REQUIREMENTS]);
  const trees = { before: await read(plain.base), mine: await read(branch), other: await read(base) };
  const { writes, problems } = mergeKnowledge(trees.before, trees.mine, trees.other);
  if (problems.some(({ code }) => code === "conflict-marker"))
    return { kind: "stuck", paths: problems.map(({ file }) => file) };
  const merged = await mirror.merge({ ...sides, resolved: decided(trees, writes) });
  if (merged.kind !== "merged")
    return { kind: "stuck", paths: merged.kind === "conflict" ? merged.paths : [] };
  const said = problems.map(({ file, line, message: words }) => `\`${file}\` line ${line}: ${words}`);
  return { kind: "merged", sha: merged.sha, problems: said };
}

/** What stands at each path of the knowledge. */
function decided(
  { before, mine, other }: Readonly<Record<"before" | "mine" | "other", Tree>>,
  writes: ReadonlyMap<string, string | null>,
): Map<string, string | null> {
  const paths = new Set([...before.keys(), ...mine.keys(), ...other.keys()]);
  return new Map(
    [...paths].map((path) => {
      const [was, ours, theirs] = [before.get(path), mine.get(path), other.get(path)];
      if (GENERATED.includes(path)) return [path, theirs ?? null];
      if (writes.has(path)) return [path, writes.get(path) ?? null];
      const isMerged = path.startsWith(CONTEXT) && path.endsWith(".md");
      // What happened to a requirement is what its base says: only the fold moves it.
      const isTheirs = !isMerged && was !== theirs && (was === ours || path.startsWith(REQUIREMENTS));
      return [path, (isTheirs ? theirs : ours) ?? null];
    }),
  );
}
