import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { AccrueError } from "../shared/index.js";
import type { ToolContext } from "./types.js";

/** What a hand-over note can be, in the order in which they are read back. */
export const HAND_OVER_SECTIONS = ["decision", "finding", "problem", "next"] as const;

/** See {@link HAND_OVER_SECTIONS}. */
export type HandOverSection = (typeof HAND_OVER_SECTIONS)[number];

const MAX_HAND_OVER_BYTES = 16_000;
const NOTE_START = /^(?=- \[\w+\] )/m;

async function readAll({ handOver }: Pick<ToolContext, "handOver">): Promise<string> {
  try {
    return await readFile(handOver, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** Adds a note for whoever goes on with the work, in one write that is there whole or not at all. */
export async function addToHandOver(
  context: Pick<ToolContext, "handOver">,
  note: { section: HandOverSection; text: string },
): Promise<void> {
  const entry = `- [${note.section}] ${note.text.trim().replaceAll("\n", "\n  ")}\n`;
  const size = Buffer.byteLength(await readAll(context)) + Buffer.byteLength(entry);
  if (size > MAX_HAND_OVER_BYTES) {
    const message = `The notes would have ${size} bytes, more than ${MAX_HAND_OVER_BYTES}. Go on without this one, or note only what nobody could find out again.`;
    throw new AccrueError("INPUT_INVALID", message);
  }
  await mkdir(dirname(context.handOver), { recursive: true });
  await appendFile(context.handOver, entry);
}

/** What an agent has noted so far, by section, as Markdown; empty when nothing. It survives compression and restarts. */
export async function readHandOver(context: Pick<ToolContext, "handOver">): Promise<string> {
  const notes = (await readAll(context)).split(NOTE_START).filter((note) => note.trim() !== "");
  const sections = HAND_OVER_SECTIONS.flatMap((section) => {
    const mark = `- [${section}] `;
    const own = notes
      .filter((note) => note.startsWith(mark))
      .map((note) => `- ${note.slice(mark.length).trimEnd()}`);
    return own.length === 0 ? [] : [`## ${section}\n\n${own.join("\n")}`];
  });
  return sections.join("\n\n");
}
