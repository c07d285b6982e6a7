import { TomlError, parse as parseToml } from "smol-toml";
import { z } from "zod";
import { clipEnd, messageOf } from "../shared/index.js";
import { parseTemplate } from "./command-template.js";
import { checkHead, splitFrontmatter } from "./frontmatter.js";
import { invalid } from "./problems.js";
import { CommandFrontmatter, CommandToml } from "./schema.js";
import { plainText } from "./text-file.js";
import type { Command } from "./types.js";

const MAX_NAME = 50;
const MAX_DESCRIPTION = 100;
/** Letters of any script: people call a command as they speak. */
const NAME_PART = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_.-]*$/u;

/** Where commands come from. */
export interface CommandLevel {
  /** Folder, with `/` at its end. */
  folder: string;
  origin: string;
  mayRun: boolean;
}

/** The name that a command's path gives it: `git/tidy.toml` is `git:tidy`. Throws where a part cannot be typed. */
export function commandName(path: string, file: string): string {
  const parts = path
    .normalize("NFC")
    .replace(/\.[^.]+$/, "")
    .split("/");
  const wrong = parts.find((part) => !NAME_PART.test(part));
  if (wrong !== undefined)
    throw invalid(file, `"${wrong}" cannot be part of a name: use letters, digits, _, . and -.`);
  return checkLength(parts.join(":"), file);
}

/** Throws for a name that nobody would type. */
export function checkLength(name: string, file: string): string {
  if (name.length <= MAX_NAME) return name;
  throw invalid(
    file,
    `the name "${name}" has ${name.length} characters, more than ${MAX_NAME}: shorten the path.`,
  );
}

/** Reads a command's file. Throws `CONFIG_INVALID` naming file, line and cure. */
export function parseCommand(written: string, file: string, level: CommandLevel): Command {
  const text = plainText(written, file);
  const isMarkdown = file.endsWith(".md");
  const { prompt, description } = isMarkdown ? readMarkdown(text, file) : readToml(text, file);
  const { origin, mayRun } = level;
  return {
    name: commandName(file.slice(level.folder.length), file),
    description: oneLine(description || prompt),
    origin,
    template: parseTemplate(prompt, { file, isMarkdown, mayRun }),
    file,
  };
}

function readMarkdown(text: string, file: string): { prompt: string; description: string } {
  const { head, body } = splitFrontmatter(text, file);
  const { description = "" } = checkHead(CommandFrontmatter, head ?? {}, file);
  if (body === "")
    throw invalid(file, "the prompt is empty: write below the frontmatter what is to be done.");
  return { prompt: body, description };
}

function readToml(text: string, file: string): { prompt: string; description: string } {
  const parsed = CommandToml.safeParse(tomlValues(text, file));
  if (parsed.success) return { prompt: parsed.data.prompt, description: parsed.data.description ?? "" };
  throw invalid(file, `correct the file: ${z.prettifyError(parsed.error).replaceAll(/\s+/g, " ")}`);
}

function tomlValues(text: string, file: string): unknown {
  try {
    return parseToml(text);
  } catch (cause) {
    const where = cause instanceof TomlError ? `line ${cause.line}, column ${cause.column}: ` : "";
    const [reason = ""] = messageOf(cause).replace("Invalid TOML document: ", "").split("\n");
    const cure = `Between ''' and ''' backslashes and quotes mean themselves.`;
    throw invalid(file, `is not valid TOML, ${where}${reason}. ${cure}`, cause);
  }
}

function oneLine(text: string): string {
  const [line = ""] = text.trim().split("\n");
  const plain = line.replace(/^#+\s*/, "").replaceAll(/\s+/g, " ");
  return clipEnd(plain, MAX_DESCRIPTION);
}
