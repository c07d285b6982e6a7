import {
  ATTACHMENT_LIMITS,
  type CommandDoors,
  expandCommand,
  expandMentions,
  renderAttachments,
  workspaceTexts,
} from "../skills/index.js";
import { closest, isAccrueError, visibleText } from "../shared/index.js";
import { countUse } from "./count-use.js";
import { asMaterial } from "./material.js";
import type { Run } from "./types.js";

const COMMAND = /^\/(?<name>[\p{L}\p{N}][\p{L}\p{N}:._-]*)(?:\s+(?<typed>[\s\S]*))?$/u;
const COMMAND_LIMIT_MS = 2 * 60_000;

/**
 * What a person's words bring in besides themselves, ready for a prompt: the files that they name as `@path`, and the text
 * that a `/command` stands for. What cannot be brought in is said, and the words stay what they are.
 */
export async function broughtBy(run: Run, words: readonly string[], signal: AbortSignal): Promise<string> {
  const parts: string[] = [];
  for (const said of words.map((text) => visibleText(text).trim()).filter(Boolean)) {
    const command = await commandText(run, said, signal);
    if (command !== null) parts.push(`<command>\n${asMaterial(command)}\n</command>`);
    const texts = workspaceTexts(run.workspace.files);
    const { files, notices } = await expandMentions(said, texts, ATTACHMENT_LIMITS, signal);
    run.board.notices.push(...notices);
    if (files.length > 0) parts.push(asMaterial(renderAttachments(files)));
  }
  return parts.join("\n\n");
}

/** The text of the command that somebody typed; null where it is none, or none of ours. */
async function commandText(run: Run, said: string, signal: AbortSignal): Promise<string | null> {
  const { name = "", typed = "" } = COMMAND.exec(said)?.groups ?? {};
  if (name === "") return null;
  try {
    const text = await expand(run, { name, typed: typed.trim() }, signal);
    if (text === null) return null;
    countUse(run, { kind: "command", id: name, how: "fired" });
    return text;
  } catch (error) {
    if (!isAccrueError(error) || signal.aborted) throw error;
    run.board.notices.push(error.message);
    return null;
  }
}

async function expand(
  run: Run,
  { name, typed }: { name: string; typed: string },
  signal: AbortSignal,
): Promise<string | null> {
  const { commands } = run.skills;
  const command = commands.get(name);
  if (command) return expandCommand(command, typed, doorsOf(run), signal);
  const remote = run.toolbox?.commands ?? [];
  const prompt = remote.find((candidate) => candidate.name === name);
  if (prompt) return prompt.expand(typed, signal);
  const near = closest(name, [...commands.keys(), ...remote.map((candidate) => candidate.name)]);
  if (near !== null) run.board.notices.push(`There is no command /${name}. Did you mean /${near}?`);
  return null;
}

function doorsOf({ workspace }: Run): CommandDoors {
  return {
    texts: workspaceTexts(workspace.files),
    run: (command, env, signal) => workspace.box.run({ command, env, timeoutMs: COMMAND_LIMIT_MS }, signal),
  };
}
