// oxlint-disable-next-line no-control-regex
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g;
// oxlint-disable-next-line no-control-regex
const UNREADABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/g;
const MAX_UNREADABLE_SHARE = 0.1;

/** What a terminal would show of a line that was written over: the last state of a progress bar. */
function lastState(line: string): string {
  const states = line.replace(/\r+$/, "").split("\r");
  return states.at(-1) ?? "";
}

/** A command's output as text worth reading: without colours and overwritten lines, and without what is no text at all. */
export function readableOutput(output: string): string {
  const plain = output.replace(ESCAPES, "").split("\n").map(lastState).join("\n");
  const unreadable = plain.match(UNREADABLE)?.length ?? 0;
  if (unreadable === 0) return plain;
  if (unreadable / plain.length > MAX_UNREADABLE_SHARE) {
    return `(binary output of ${output.length} characters, not shown: look at it with file, od -c or strings)`;
  }
  return plain.replace(UNREADABLE, "\ufffd");
}
