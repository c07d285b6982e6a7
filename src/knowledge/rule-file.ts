import { foldId } from "./library.js";
import { readLines, splitLines } from "./lines.js";

/** A part of a rule file, byte for byte: a rule, or any other text under a heading of its level. */
export interface FilePart {
  /** The folded id of a rule; of other text its heading. */
  key: string;
  /** Null for text that is no rule. */
  id: string | null;
  /** With its last line end. */
  text: string;
}

const RULE_START = /^##\s+(R-[0-9A-Z]{6,8})(?=\s|$)/i;

/** Cuts a rule file at its headings of the second level; all parts together are the file. */
export function cutRuleFile(text: string): FilePart[] {
  const { lines } = readLines("", text);
  const sources = text.split(/(?<=\n)/);
  const parts: FilePart[] = [{ key: "", id: null, text: "" }];
  const counts = new Map<string, number>();
  for (const [index, source] of sources.entries()) {
    const line = lines[index];
    if (line && !line.isCode && /^##(\s|$)/.test(line.text)) {
      const id = RULE_START.exec(line.text)?.[1] ?? null;
      const name = id === null ? line.text.trim() : foldId(id);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      parts.push({
        key: count === 1 ? name : `${name} ${count}`,
        id: id === null ? null : foldId(id),
        text: "",
      });
    }
    const last = parts.at(-1);
    if (last) last.text += source;
  }
  return parts;
}

/** A rule file with the status of some rules changed, and no other byte; the ids are folded. */
export function setRuleStatus(
  text: string,
  ids: ReadonlySet<string>,
  status: "active" | "draft" | "retired",
): string {
  const parts = cutRuleFile(text).map((part) =>
    part.id !== null && ids.has(part.id) ? withStatus(part.text, status) : part.text,
  );
  return parts.join("");
}

function withStatus(block: string, status: string): string {
  const lineEnd = block.includes("\r\n") ? "\r\n" : "\n";
  const old = /^( {0,3}[-*+]\s+\*{0,2}(?:status|状态)\*{0,2}\s*[:：]\*{0,2}\s*)[^\r\n]*/imu;
  if (old.test(block)) return block.replace(old, `$1${status}`);
  const lines = splitLines(block);
  const first = lines.findIndex((line) => /^ {0,3}[-*+]\s/.test(line));
  const at = first < 0 ? 1 : first;
  return [...lines.slice(0, at), `- status: ${status}`, ...lines.slice(at)].join(lineEnd);
}
