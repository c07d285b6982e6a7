import { appendFile, mkdir, readFile, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { AccrueError, isoTime, messageOf, type Clock } from "../shared/index.js";
import { TranscriptLine, type LineBody } from "./transcript-line.js";

const NEWLINE = 0x0a;

/** Appends to a run's record as it happens, so that a crash loses no more than the turn it hit. */
export interface Transcript {
  /** Gives the line as it was written. */
  append(body: LineBody): Promise<TranscriptLine>;
}

/** What of a file can be read: whole lines from its beginning. */
interface Scan {
  lines: TranscriptLine[];
  /** How many bytes these lines are, each with its line end. */
  bytes: number;
  /** What is wrong with the next one; null when the file ends there, or in the middle of a line that was being written. */
  problem: string | null;
}

function parseLine(text: string): TranscriptLine | string {
  try {
    const parsed = TranscriptLine.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : z.prettifyError(parsed.error);
  } catch (error) {
    return messageOf(error);
  }
}

function scan(content: Buffer): Scan {
  const lines: TranscriptLine[] = [];
  let bytes = 0;
  for (;;) {
    const end = content.indexOf(NEWLINE, bytes);
    // A line without its end was being written when the process died: nobody has acted on it.
    if (end < 0) return { lines, bytes, problem: null };
    const line = parseLine(content.toString("utf8", bytes, end));
    if (typeof line === "string") return { lines, bytes, problem: line };
    lines.push(line);
    bytes = end + 1;
  }
}

async function contentOf(path: string): Promise<Buffer | null> {
  return readFile(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return null;
    throw new AccrueError("INPUT_INVALID", `${path} cannot be read: ${cause.message}. Check the path.`, {
      cause,
    });
  });
}

/** Reads a transcript in order. A last line that a crash cut off is left out; any other bad line throws `INPUT_INVALID` with its number. */
export async function readTranscript(path: string): Promise<TranscriptLine[]> {
  const content = await contentOf(path);
  if (content === null)
    throw new AccrueError("INPUT_INVALID", `There is no transcript ${path}. Check the path.`);
  const { lines, problem } = scan(content);
  if (problem === null) return lines;
  throw new AccrueError(
    "INPUT_INVALID",
    `${path}, line ${lines.length + 1} is not a line of a transcript: ${problem}\nRestore the file, or remove the line.`,
  );
}

/** Reads what a crash has left, and removes what cannot be read, so that new lines can follow. */
export async function repairTranscript(path: string): Promise<TranscriptLine[]> {
  const content = await contentOf(path);
  if (content === null) return [];
  const { lines, bytes } = scan(content);
  if (bytes < content.length) await truncate(path, bytes);
  return lines;
}

/** Opens the JSONL file at a path and makes its folder; the first line gets the number `n`. */
export async function openTranscript(path: string, clock: Clock, n: number): Promise<Transcript> {
  await mkdir(dirname(path), { recursive: true });
  let next = n;
  return {
    async append(body) {
      const line: TranscriptLine = { ...body, n: next++, at: isoTime(clock.now()) };
      await appendFile(path, `${JSON.stringify(line)}\n`);
      return line;
    },
  };
}
