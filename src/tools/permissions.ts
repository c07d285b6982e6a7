import { posix } from "node:path";
import { AccrueError, clipMiddle } from "../shared/index.js";
import { simpleCommands, type Word } from "./command-words.js";
import { readPatterns } from "./permission-patterns.js";
import type { Tool } from "./types.js";

/** Programs that start another one, or change what a name starts: past them, a denied command cannot be seen. */
const STARTERS = new Set(
  [
    "alias ash bash builtin busybox chroot command csh dash declare doas enable env eval exec export fish hash",
    "ionice ksh local nice nohup parallel readonly script set setsid sh shopt source stdbuf sudo su tcsh timeout trap",
    "typeset unshare watch xargs zsh .",
  ].flatMap((names) => names.split(" ")),
);

const MAX_SHOWN_CHARS = 200;

function programOf([first]: readonly Word[]): string {
  return posix.basename(first?.text ?? "");
}

function startsWith(words: readonly Word[], prefixes: readonly string[][]): boolean {
  return prefixes.some((prefix) => prefix.every((word, at) => words[at]?.text === word));
}

function couldBe({ text, glob }: Word, wanted: string): boolean {
  return glob === null ? text === wanted : wanted.startsWith(glob.head) && wanted.endsWith(glob.tail);
}

/** Whether the words of a prefix come in this order, with others between them: `git -C . push` is a `git push`. */
function holdsInOrder(words: readonly Word[], prefix: readonly string[]): boolean {
  let at = 0;
  for (const word of words) {
    const isNext = () => at < prefix.length && couldBe(word, prefix[at] ?? "");
    if (word.glob === null) at += isNext() ? 1 : 0;
    // One pattern can stand for several names.
    else while (isNext()) at++;
  }
  return at === prefix.length;
}

function isDenied(words: readonly Word[], prefixes: readonly string[][]): boolean {
  return prefixes.some(([program = "", ...rest]) => {
    return programOf(words) === posix.basename(program) && holdsInOrder(words.slice(1), rest);
  });
}

function startsAnother(words: readonly Word[]): boolean {
  const isFindWithCommand =
    programOf(words) === "find" && words.some(({ text }) => /^-(?:exec|ok)/.test(text));
  return STARTERS.has(programOf(words)) || isFindWithCommand;
}

/** Why a command line may not be run; null when it may. */
function objection(line: string, allowed: string[][] | null, denied: string[][]): string | null {
  const commands = simpleCommands(line);
  if (commands === null) return "it is not a plain list or pipe of simple commands";
  for (const words of commands) {
    const shown = clipMiddle(words.map(({ text }) => text).join(" "), MAX_SHOWN_CHARS);
    if (isDenied(words, denied)) return `\`${shown}\` is denied`;
    if (allowed !== null && !startsWith(words, allowed)) return `\`${shown}\` is not on the list`;
    if (allowed === null && startsAnother(words)) return `what \`${shown}\` starts cannot be seen`;
  }
  return null;
}

function list(prefixes: readonly string[][]): string {
  return prefixes.map((words) => `\`${words.join(" ")}\``).join(", ");
}

/** Contract: `allowed` null means any command; with prefixes on either side only plain commands pass. */
function restrict(tool: Tool, allowed: string[][] | null, denied: string[][]): Tool {
  const rule = [
    allowed === null ? "" : `Only commands that begin with ${list(allowed)}.`,
    denied.length === 0 ? "" : `Never ${list(denied)}, nor what starts other commands (sh, env, xargs).`,
    "They may be joined by &&, ||, ; and |; no files as output or input (2>&1 and >/dev/null are fine), substitutions or variables.",
  ]
    .filter(Boolean)
    .join(" ");
  return {
    ...tool,
    description: `${tool.description} ${rule}`,
    async run(input, ...others) {
      const { command } = input as { command?: unknown };
      const why = typeof command === "string" ? objection(command, allowed, denied) : "there is no command";
      if (why !== null) throw new AccrueError("INPUT_INVALID", `Not allowed: ${why}. ${rule}`);
      return await tool.run(input, ...others);
    },
  };
}

/**
 * What of the tools is allowed: names, `*`, `mcp_jira_*`, or `run(npm test)` for commands that begin with these words. Deny
 * wins. Prefixes guide a model; what a command can reach is the box's matter.
 */
export function permit(
  tools: readonly Tool[],
  lists: { allow: readonly string[]; deny: readonly string[]; known: readonly string[] },
): Tool[] {
  const allowed = readPatterns(lists.allow, tools, lists.known);
  const denied = readPatterns(lists.deny, tools, lists.known);
  return tools.flatMap((tool) => {
    const isWhole = allowed.names(tool.name);
    const prefixes = allowed.prefixesOf(tool.name);
    if (denied.names(tool.name) || (!isWhole && prefixes.length === 0)) return [];
    const deniedPrefixes = denied.prefixesOf(tool.name);
    if (isWhole && deniedPrefixes.length === 0) return [tool];
    return [restrict(tool, isWhole ? null : prefixes, deniedPrefixes)];
  });
}
