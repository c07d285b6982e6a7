import { invalid } from "./problems.js";
import { workspacePath } from "./workspace-path.js";

/** The variable that a command's shell lines find the arguments in. */
export const ARGS_VARIABLE = "ACCRUE_ARGS";

/** A piece of a command's prompt. What it brings in is never read for further pieces. */
export type TemplatePart =
  | { type: "text"; text: string }
  | { type: "args" }
  /** A file or folder of the workspace. */
  | { type: "file"; path: string }
  /** A shell line, complete: the arguments come in a variable, never as part of the line. */
  | { type: "shell"; line: string; usesArgs: boolean };

/** Where a prompt comes from. */
interface TemplateSource {
  file: string;
  /** `$ARGUMENTS` means the arguments too. */
  isMarkdown: boolean;
  /** Whether its shell lines may run; if not, one is an error. */
  mayRun: boolean;
}

const ARGS = /\{\{\s*args\s*\}\}/gu;
const MARKDOWN_ARGS = /\{\{\s*args\s*\}\}|\$ARGUMENTS\b/gu;

/** Reads a prompt once, into its pieces in order. Throws `CONFIG_INVALID` with the line of a brace that is not closed. */
export function parseTemplate(prompt: string, source: TemplateSource): TemplatePart[] {
  const args = source.isMarkdown ? MARKDOWN_ARGS : ARGS;
  const marks = new RegExp(`${args.source}|[@!]\\{`, "gu");
  const parts: TemplatePart[] = [];
  let at = 0;
  const textTo = (end: number) => {
    if (end > at) parts.push({ type: "text", text: prompt.slice(at, end) });
  };
  for (let mark = marks.exec(prompt); mark !== null; mark = marks.exec(prompt)) {
    textTo(mark.index);
    const [found] = mark;
    const inside = found.endsWith("{") ? bracedText(prompt, marks.lastIndex, source.file) : null;
    if (inside === null) parts.push({ type: "args" });
    else if (found === "@{") parts.push(filePart(inside, source.file));
    else parts.push(shellPart(inside, args, source));
    at = marks.lastIndex + (inside === null ? 0 : inside.length + 1);
    marks.lastIndex = at;
  }
  textTo(prompt.length);
  return parts;
}

/** What stands between an opened brace and the one that closes it; braces inside come in pairs. */
function bracedText(prompt: string, from: number, file: string): string {
  let depth = 1;
  for (let at = from; at < prompt.length; at += 1) {
    if (prompt[at] === "{") depth += 1;
    if (prompt[at] === "}") depth -= 1;
    if (depth === 0) return prompt.slice(from, at);
  }
  const line = prompt.slice(0, from).split("\n").length;
  const opened = prompt.slice(from - 2, from);
  throw invalid(
    file,
    `the brace of ${opened} in line ${line} of the prompt is not closed: braces inside have to come in pairs.`,
  );
}

function filePart(written: string, file: string): TemplatePart {
  const path = workspacePath(written.trim());
  if (path !== null && !/[{}]/.test(path)) return { type: "file", path };
  throw invalid(
    file,
    `@{${written}} is no path in the workspace: write one such as @{docs/style.md}, without ".." or arguments.`,
  );
}

function shellPart(written: string, args: RegExp, source: TemplateSource): TemplatePart {
  if (!source.mayRun) {
    const message = `!{${written}} runs a command, which only commands of the repository's base branch may: move the file to .agents/commands/.`;
    throw invalid(source.file, message);
  }
  if (written.trim() === "")
    throw invalid(source.file, "!{} runs nothing: write a command between the braces.");
  let line = "";
  let at = 0;
  for (const mark of written.matchAll(args)) {
    line += written.slice(at, mark.index);
    line += VARIABLE_WITHIN[quoteAtEnd(line)];
    at = mark.index + mark[0].length;
  }
  return { type: "shell", line: (line + written.slice(at)).trim(), usesArgs: at > 0 };
}

// A variable's value is never read as shell syntax, wherever it stands. The quotes only keep it one word.
const VARIABLE_WITHIN = {
  none: `"\${${ARGS_VARIABLE}}"`,
  double: `\${${ARGS_VARIABLE}}`,
  single: `'"\${${ARGS_VARIABLE}}"'`,
} as const;

/** The quotes that are open where a shell line ends. */
function quoteAtEnd(line: string): keyof typeof VARIABLE_WITHIN {
  let open: keyof typeof VARIABLE_WITHIN = "none";
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at];
    if (open === "single") open = char === "'" ? "none" : "single";
    else if (char === "\\") at += 1;
    else if (char === '"') open = open === "double" ? "none" : "double";
    else if (char === "'" && open === "none") open = "single";
  }
  return open;
}
