/** What a unified diff does to one file, as it is afterwards. */
export interface ChangedFile {
  path: string;
  /** Lines that are new; `7.5` where something was taken out between the lines 7 and 8. */
  lines: number[];
  /** Where it was before; null where it is new. */
  oldPath: string | null;
  /** The text of the lines that were taken out. */
  taken: string[];
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Reads which lines a unified diff of git changes. Paths may be quoted as git does it. */
export function readDiff(diff: string): ChangedFile[] {
  const found = new Map<string, ChangedFile>();
  const lines = diff.split("\n");
  let [old, current]: [string | null, ChangedFile | null] = [null, null];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const hunk = HUNK.exec(line);
    if (line.startsWith("--- ")) old = pathOf(line.slice(4));
    else if (line.startsWith("+++ ")) {
      const path = pathOf(line.slice(4));
      current = fileIn(found, path ?? old, old);
    } else if (line.startsWith("rename to ") || line.startsWith("copy to ")) {
      current = fileIn(found, unquote(line.slice(line.indexOf(" to ") + 4)), null);
    } else if (hunk && current) at = readHunk(lines, at, hunk, current);
  }
  return [...found.values()].map((file) => ({ ...file, lines: [...new Set(file.lines)] }));
}

function fileIn(
  found: Map<string, ChangedFile>,
  path: string | null,
  oldPath: string | null,
): ChangedFile | null {
  if (path === null) return null;
  const file = found.get(path) ?? { path, lines: [], oldPath: null, taken: [] };
  file.oldPath ??= oldPath;
  found.set(path, file);
  return file;
}

/** Takes in one hunk by its counts, so that a line of text that looks like a head is none. Gives the index of its last line. */
function readHunk(lines: readonly string[], start: number, hunk: RegExpExecArray, file: ChangedFile): number {
  let [oldLeft, line, newLeft] = [Number(hunk[1] ?? 1), Number(hunk[2]), Number(hunk[3] ?? 1)];
  // Where nothing is left, git counts from the line before.
  if (newLeft === 0) line++;
  let isTakenOut = false;
  let at = start;
  const close = () => {
    if (isTakenOut) file.lines.push(line - 0.5);
    isTakenOut = false;
  };
  while ((oldLeft > 0 || newLeft > 0) && at + 1 < lines.length) {
    const sign = lines[++at]?.[0];
    if (sign === "\\") continue;
    if (sign === "-") {
      oldLeft--;
      file.taken.push((lines[at] ?? "").slice(1));
      isTakenOut = true;
      continue;
    }
    if (sign === "+") {
      isTakenOut = false;
      file.lines.push(line);
    } else {
      close();
      oldLeft--;
    }
    newLeft--;
    line++;
  }
  close();
  return at;
}

/** A path of a diff's head without git's `a/` or `b/`; null for `/dev/null`. */
function pathOf(text: string): string | null {
  const path = unquote(text.replace(/\t.*$/, "").replace(/\r$/, ""));
  return path === "/dev/null" ? null : path.replace(/^[a-z]\//, "");
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
};

/** Git writes bytes beyond ASCII as `\350\241\250` within quotes. */
function unquote(text: string): string {
  if (!/^".*"$/s.test(text)) return text;
  const parts = text.slice(1, -1).match(/\\[0-7]{3}|\\.|[^\\]+/gsu) ?? [];
  return Buffer.concat(
    parts.map((part) => {
      if (/^\\[0-7]/.test(part)) return Buffer.from([Number.parseInt(part.slice(1), 8)]);
      if (part.startsWith("\\")) return Buffer.from(ESCAPES[part.slice(1)] ?? part.slice(1));
      return Buffer.from(part);
    }),
  ).toString("utf8");
}
