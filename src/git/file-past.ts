import type { Git, GitRun } from "./types.js";

/** How files were called before, and what they said: asked about a line of history up to one revision. */
export interface FilePast {
  /** Where files are now that are gone under these names, as far as git sees that they were renamed. */
  renames(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The text of a file before the last change that took a word out of it; null when no change did. */
  before(path: string, word: string): Promise<string | null>;
}

/** So many commits of the line are looked through. */
const MAX_COMMITS = 2_000;
/** A file that was renamed more often than this is as good as gone. */
const MAX_STEPS = 5;
const MAX_PATHS = 200;
const COMMIT = "\u0001";

/** Makes the past of the files of a revision. Contract: a revision that is none has no past. */
export function createFilePast(git: Pick<Git, "attempt">, revision: string, where: GitRun): FilePast {
  const ask = async (...args: string[]) => {
    const { exitCode, stdout } = await git.attempt(args, where);
    return exitCode === 0 ? stdout : "";
  };
  let known: Promise<string[]> | null = null;
  const range = () => (known ??= rangeOf(revision, ask));
  return {
    renames: async (paths) => {
      const now = new Map<string, string>();
      let open = new Map(paths.slice(0, MAX_PATHS).map((path) => [path, path]));
      for (let step = 0; step < MAX_STEPS && open.size > 0; step++) {
        const next = await stepOf(await range(), open, ask);
        for (const [latest, first] of next) now.set(first, latest);
        open = next;
      }
      // A file that came back under another name, and is gone again, is nowhere.
      const there = new Set(await existing(revision, [...now.values()], ask));
      return new Map([...now].filter(([, path]) => there.has(path)));
    },
    before: async (path, word) => {
      const left = ["-n1", "--format=%H", "--pickaxe-regex", `-S${wordPattern(word)}`];
      const args = ["log", "--first-parent", "-m", ...left, ...(await range()), "--", literal(path)];
      const sha = (await ask(...args)).split("\n", 1)[0] ?? "";
      return sha === "" ? null : (await ask("cat-file", "blob", `${sha}^:${path}`)) || null;
    },
  };
}

type Ask = (...args: string[]) => Promise<string>;

/** The last commits of the line, as `git log` takes them. */
async function rangeOf(revision: string, ask: Ask): Promise<string[]> {
  const skip = ["--first-parent", "-n1", `--skip=${MAX_COMMITS}`];
  const floor = (await ask("rev-list", ...skip, "--end-of-options", revision, "--")).trim();
  return ["--end-of-options", revision, ...(floor === "" ? [] : [`^${floor}`])];
}

/** One rename further: of paths that are gone, by how each was called at first, the names that took their place. */
async function stepOf(
  range: readonly string[],
  open: ReadonlyMap<string, string>,
  ask: Ask,
): Promise<Map<string, string>> {
  const shape = ["--first-parent", "-m", "--no-renames", "--diff-filter=D", "--name-only", "-z"];
  const listed = await ask(
    "log",
    ...shape,
    "--format=%x01%H",
    ...range,
    "--",
    ...[...open.keys()].map(literal),
  );
  const next = new Map<string, string>();
  const seen = new Set<string>();
  for (const entry of listed.split(COMMIT).slice(1)) {
    const [sha = "", ...names] = entry.split(/[\0\n]+/).filter(Boolean);
    const gone = names.filter((path) => open.has(path) && !seen.has(path));
    if (gone.length === 0) continue;
    for (const path of gone) seen.add(path);
    const pairs = ["-r", "-M", "--diff-filter=R", "--name-status", "-z", `${sha}^`, sha];
    const fields = (await ask("diff-tree", ...pairs)).split("\0");
    for (let at = 0; at + 2 < fields.length; at += 3) {
      const [from = "", to = ""] = [fields[at + 1], fields[at + 2]];
      if (gone.includes(from)) next.set(to, open.get(from) ?? from);
    }
  }
  return next;
}

async function existing(revision: string, paths: readonly string[], ask: Ask): Promise<string[]> {
  if (paths.length === 0) return [];
  const listed = await ask("ls-tree", "-r", "-z", "--name-only", "--full-tree", revision, "--", ...paths);
  return listed.split("\0").filter(Boolean);
}

function literal(path: string): string {
  return `:(literal)${path}`;
}

/** A whole word, as the regular expressions of every git know it. */
function wordPattern(word: string): string {
  const other = "[^A-Za-z0-9_$]";
  return `(^|${other})${word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}(${other}|$)`;
}
