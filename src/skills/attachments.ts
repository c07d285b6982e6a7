import { estimateTokens, isAccrueError } from "../shared/index.js";

/** The texts of a workspace, as far as a person's words can bring them in. */
export interface WorkspaceTexts {
  /** Contract: true for regular files of the workspace only; a folder, a link or an ignored file is none. */
  isFile(path: string): Promise<boolean>;
  /** Files below a folder, by path; none where there is no such folder. */
  list(folder: string): Promise<string[]>;
  /** Null where there is none. Rejects with an AccrueError that says why a file cannot be read. */
  read(path: string): Promise<string | null>;
}

/** A file as it is shown. */
export interface AttachedFile {
  path: string;
  content: string;
}

/** How much a text can bring in. */
export interface AttachmentLimits {
  /** Lines of one file. */
  lines: number;
  /** Tokens of all files together. */
  tokens: number;
}

/** What people can bring in by naming it. */
export const ATTACHMENT_LIMITS: AttachmentLimits = { lines: 2000, tokens: 20_000 };

/** Longer files are data, and reading them to show a corner helps nobody. */
const MAX_LENGTH = 2_000_000;
const MAX_FOLDER_FILES = 500;

/** Collects files within the limits, each once, and says what was cut or left out. */
export interface Attachments {
  files: AttachedFile[];
  notices: string[];
  /** A file that was named: cut where it does not fit. */
  addFile(path: string): Promise<void>;
  /** A folder that was named: as many of its files as fit, each whole. False where it has none. */
  addFolder(folder: string): Promise<boolean>;
}

/** Opens an empty collection. */
export function createAttachments(texts: WorkspaceTexts, limits: AttachmentLimits): Attachments {
  const files: AttachedFile[] = [];
  const notices: string[] = [];
  let tokensLeft = limits.tokens;
  const has = (path: string) => files.some((file) => file.path === path);
  const keep = (path: string, content: string, tokens: number) => {
    files.push({ path, content });
    tokensLeft -= tokens;
  };

  return {
    files,
    notices,
    async addFile(path) {
      if (has(path)) return;
      const whole = await readText(texts, path);
      if ("problem" in whole) {
        notices.push(`${path}: ${whole.problem}`);
        return;
      }
      const lines = whole.text.split("\n");
      const shown = linesWithin(lines, limits.lines, tokensLeft);
      if (shown === 0 && whole.text !== "") {
        notices.push(`${path}: left out, there is no room for it.`);
        return;
      }
      const isWhole = shown === lines.length;
      const content = isWhole ? whole.text : lines.slice(0, shown).join("\n");
      keep(path, content, estimateTokens(content));
      if (!isWhole) notices.push(`${path}: the first ${shown} of ${lines.length} lines.`);
    },
    async addFolder(folder) {
      const paths = (await texts.list(folder)).filter((path) => path.startsWith(`${folder}/`)).sort();
      let leftOut = Math.max(0, paths.length - MAX_FOLDER_FILES);
      for (const path of paths.slice(0, MAX_FOLDER_FILES)) {
        if (has(path)) continue;
        const whole = (await texts.isFile(path)) ? await readText(texts, path) : { problem: "no file" };
        const tokens = "text" in whole ? estimateTokens(whole.text) : Infinity;
        if ("text" in whole && tokens <= tokensLeft && whole.text.split("\n").length <= limits.lines) {
          keep(path, whole.text, tokens);
        } else leftOut += 1;
      }
      if (leftOut > 0)
        notices.push(
          `${folder}/: ${leftOut} of ${paths.length} files left out: too large, no text, or no room.`,
        );
      return paths.length > 0;
    },
  };
}

async function readText(
  texts: WorkspaceTexts,
  path: string,
): Promise<{ text: string } | { problem: string }> {
  try {
    const text = await texts.read(path);
    if (text === null) return { problem: "there is no such file." };
    if (text.length > MAX_LENGTH) return { problem: "left out: it is too large." };
    return text.includes("\0") ? { problem: "left out: it is no text." } : { text };
  } catch (error) {
    if (!isAccrueError(error)) throw error;
    return { problem: error.message };
  }
}

/** How many of the lines fit, from the first on. */
function linesWithin(lines: readonly string[], maxLines: number, maxTokens: number): number {
  let tokens = 0;
  for (const [index, line] of lines.slice(0, maxLines).entries()) {
    tokens += estimateTokens(`${line}\n`);
    if (tokens > maxTokens) return index;
  }
  return Math.min(lines.length, maxLines);
}

/** Files for a prompt, each between tags that none of them can close. */
export function renderAttachments(files: readonly AttachedFile[]): string {
  return files
    .map(({ path, content }) => tagged("attached-file", content, ` path="${attribute(path)}"`))
    .join("\n\n");
}

/** A text between tags that it cannot close. */
export function tagged(name: string, text: string, attributes = ""): string {
  const inert = text.replaceAll(new RegExp(`<(?=\\s*/\\s*${name}\\b)`, "gi"), "&lt;");
  return `<${name}${attributes}>\n${inert}\n</${name}>`;
}

function attribute(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
