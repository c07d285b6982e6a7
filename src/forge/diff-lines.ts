/** Where a line of a file stands in its diff. */
interface DiffLine {
  /** Lines below the first hunk header. */
  position: number;
  /** The hunk from its header to the line. */
  hunk: string;
}

/** Finds a line of the new (`RIGHT`) or old (`LEFT`) file in a patch; null when the diff does not show it. */
export function locateLine(patch: string, line: number, side: "LEFT" | "RIGHT"): DiffLine | null {
  let hunk: string[] = [];
  let left = 0;
  let right = 0;
  for (const [position, text] of patch.split("\n").entries()) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (header) {
      hunk = [text];
      left = Number(header[1]);
      right = Number(header[2]);
      continue;
    }
    hunk.push(text);
    const isLeft = text.startsWith("-") || text.startsWith(" ");
    const isRight = text.startsWith("+") || text.startsWith(" ");
    if (side === "LEFT" ? isLeft && left === line : isRight && right === line)
      return { position, hunk: hunk.join("\n") };
    if (isLeft) left += 1;
    if (isRight) right += 1;
  }
  return null;
}

/** Finds the line at a position; null when the patch is shorter. */
export function locatePosition(
  patch: string,
  position: number,
): { line: number; side: "LEFT" | "RIGHT" } | null {
  let left = 0;
  let right = 0;
  for (const [at, text] of patch.split("\n").entries()) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (header) {
      left = Number(header[1]);
      right = Number(header[2]);
    } else if (at === position) {
      return text.startsWith("-") ? { line: left, side: "LEFT" } : { line: right, side: "RIGHT" };
    } else {
      if (!text.startsWith("+")) left += 1;
      if (!text.startsWith("-")) right += 1;
    }
  }
  return null;
}
