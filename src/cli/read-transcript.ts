import { readFile } from "node:fs/promises";
import { z } from "zod";

const Content = z.array(
  z.object({
    type: z.string(),
    id: z.string().optional(),
    name: z.string().optional(),
    input: z.record(z.string(), z.unknown()).optional(),
    tool_use_id: z.string().optional(),
    is_error: z.boolean().optional(),
  }),
);

const Usage = z.object({
  input: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  output: z.number(),
});

/** What a trace needs of a transcript's lines. */
const Line = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), at: z.string(), agent: z.string() }),
  z.object({
    type: z.literal("answer"),
    at: z.string(),
    turn: z.number(),
    content: Content,
    stopReason: z.string(),
    usage: Usage,
    model: z.string(),
    costNanoUsd: z.number().nullable(),
  }),
  z.object({ type: z.literal("results"), at: z.string(), turn: z.number(), content: Content }),
  z.object({ type: z.literal("note"), at: z.string(), turn: z.number(), text: z.string() }),
  z.object({ type: z.literal("end"), at: z.string(), reason: z.string(), message: z.string() }),
]);

/** See the schema of the same name. */
export type TranscriptLine = z.infer<typeof Line>;

const KNOWN: readonly string[] = Line.options.map((option) => option.shape.type.value);

/** Reads an agent's transcript: lines of other kinds are left out, broken ones are counted from 1. */
export async function readTranscript(path: string): Promise<{ lines: TranscriptLine[]; broken: number[] }> {
  const lines: TranscriptLine[] = [];
  const broken: number[] = [];
  for (const [index, text] of (await readFile(path, "utf8")).split("\n").entries()) {
    if (text.trim() === "") continue;
    const json = parse(text);
    const line = Line.safeParse(json);
    if (line.success) lines.push(line.data);
    else if (!isOther(json)) broken.push(index + 1);
  }
  return { lines, broken };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A later version may write more kinds of lines. */
function isOther(json: unknown): boolean {
  const kind = z.object({ type: z.string() }).safeParse(json);
  return kind.success && !KNOWN.includes(kind.data.type);
}
