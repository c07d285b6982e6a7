import { AccrueError, clipMiddle } from "../shared/index.js";
import {
  ATTACHMENT_LIMITS,
  type WorkspaceTexts,
  createAttachments,
  renderAttachments,
  tagged,
} from "./attachments.js";
import { ARGS_VARIABLE, type TemplatePart } from "./command-template.js";
import type { Command } from "./types.js";

/** One line's output in a prompt. */
const MAX_OUTPUT_LENGTH = 20_000;
/** What a process takes in one variable, with room to spare. */
const MAX_ARGS_BYTES = 100_000;

/** What a command's prompt may bring in. */
export interface CommandDoors {
  texts: WorkspaceTexts;
  /** Runs a line in the box with these variables. */
  run(
    line: string,
    env: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<{ exitCode: number | null; output: string }>;
}

/**
 * Makes a command and its arguments into a prompt: files first, then shell lines, in the order in which they stand. Arguments,
 * files and outputs are never read for further files, lines or arguments. Where the prompt has no place for the arguments, the
 * invocation stands at its end.
 */
export async function expandCommand(
  command: Command,
  args: string,
  doors: CommandDoors,
  signal: AbortSignal,
): Promise<string> {
  const { template } = command;
  const filled = new Map<TemplatePart, string>();
  for (const part of template) {
    signal.throwIfAborted();
    if (part.type === "file") filled.set(part, await attached(command, part.path, doors.texts));
  }
  for (const part of template) {
    if (part.type === "shell") filled.set(part, await outputOf(part, args, doors, signal));
  }
  const text = template
    .map((part) =>
      part.type === "text" ? part.text : part.type === "args" ? args : (filled.get(part) ?? ""),
    )
    .join("");
  const hasPlace = template.some((part) => part.type === "args" || (part.type === "shell" && part.usesArgs));
  return hasPlace || args.trim() === "" ? text : `${text}\n\n/${command.name} ${args}`;
}

async function attached(command: Command, path: string, texts: WorkspaceTexts): Promise<string> {
  const attachments = createAttachments(texts, ATTACHMENT_LIMITS);
  if (!path.endsWith("/") && (await texts.isFile(path))) await attachments.addFile(path);
  else await attachments.addFolder(path.replace(/\/$/, ""));
  const { files, notices } = attachments;
  if (files.length > 0)
    return [renderAttachments(files), ...notices.map((notice) => `(${notice})`)].join("\n");
  const reason = notices[0] ?? "there is no such file or folder.";
  throw new AccrueError(
    "INPUT_INVALID",
    `The command ${command.name} (${command.file}) brings in @{${path}}: ${reason} Correct the path in the command.`,
  );
}

async function outputOf(
  part: Extract<TemplatePart, { type: "shell" }>,
  args: string,
  doors: CommandDoors,
  signal: AbortSignal,
): Promise<string> {
  const value = args.replaceAll("\0", "");
  if (part.usesArgs && Buffer.byteLength(value) > MAX_ARGS_BYTES) {
    const message = `The arguments have ${Buffer.byteLength(value)} bytes, more than ${MAX_ARGS_BYTES} for a command that runs with them: shorten them.`;
    throw new AccrueError("INPUT_INVALID", message);
  }
  const env: Record<string, string> = part.usesArgs ? { [ARGS_VARIABLE]: value } : {};
  const { exitCode, output } = await doors.run(part.line, env, signal);
  const shown = clipMiddle(output.trim(), MAX_OUTPUT_LENGTH);
  const end = exitCode === 0 ? "" : `\n(exit status ${exitCode ?? "none: it was stopped"})`;
  return tagged("command-output", shown + end);
}
