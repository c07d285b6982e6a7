import { mergeKnowledge } from "../knowledge/index.js";
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
 * Merges a base into a branch as git does, and where git finds conflicts in the knowledge, by the ids of rules and the headings of
 * notes. Contract: nothing is pushed; other conflicts, and files with left-over conflict markers, are left to people.
 */
export async function bringUpToDate(
  mirror: Mirror,
  { branch, base, message }: { branch: string; base: string; message: string },
): Promise<UpToDate> {
  const sides = { ours: branch, theirs: base, message };
  const plain = await mirror.merge(sides);
  if (plain.kind === "unrelated") return { kind: "stuck", paths: [] };
  if (plain.kind === "merged") return { kind: "merged", sha: plain.sha, problems: [] };
  const { paths } = plain;
  if (!paths.every((path) => path.startsWith(CONTEXT) || path.startsWith(REQUIREMENTS)))
    return { kind: "stuck", paths };
  const prefixes = [CONTEXT, REQUIREMENTS];
  const before = await mirror.readFiles(plain.base, prefixes);
  const mine = await mirror.readFiles(branch, prefixes);
  const other = await mirror.readFiles(base, prefixes);
  const { writes, problems } = mergeKnowledge(before, mine, other);
  const inQuestion = problems.filter(({ file }) => paths.includes(file));
  if (inQuestion.some(({ code }) => code === "conflict-marker")) return { kind: "stuck", paths };
  const resolved = new Map<string, string | null>();
  for (const path of paths) {
    // What happened to a requirement is what its base says: only the fold moves it.
    const isTheirs = GENERATED.includes(path) || path.startsWith(REQUIREMENTS);
    const merged = writes.has(path) ? (writes.get(path) ?? null) : (mine.get(path) ?? null);
    resolved.set(path, isTheirs ? (other.get(path) ?? null) : merged);
  }
  const done = await mirror.merge({ ...sides, resolved });
  if (done.kind !== "merged") return { kind: "stuck", paths };
  return {
    kind: "merged",
    sha: done.sha,
    problems: inQuestion.map(({ file, line, message: said }) => `\`${file}\` line ${line}: ${said}`),
  };
}
