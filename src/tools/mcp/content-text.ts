import { z } from "zod";

const BYTES_PER_BASE64_CHAR = 0.75;

const Resource = z.object({
  uri: z.string().default(""),
  mimeType: z.string().default("unknown type"),
  text: z.string().optional(),
  blob: z.string().optional(),
});
/** The blocks of the protocol, as far as they become text. */
const Block = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image"), data: z.string(), mimeType: z.string().default("unknown type") }),
  z.object({ type: z.literal("audio"), data: z.string(), mimeType: z.string().default("unknown type") }),
  z.object({ type: z.literal("resource"), resource: Resource }),
  z.object({ type: z.literal("resource_link"), uri: z.string(), name: z.string().default("") }),
]);

function size(base64: string): string {
  const bytes = base64.length * BYTES_PER_BASE64_CHAR;
  return bytes < 1024 ? `${Math.floor(bytes)} bytes` : `${Math.round(bytes / 1024)} KB`;
}

/** A block of a result or of a prompt as text: what cannot be read is named with its type and size, never included. */
export function contentText(raw: unknown): string {
  const read = Block.safeParse(raw);
  if (!read.success) return "[content of an unknown kind]";
  const block = read.data;
  if (block.type === "text") return block.text;
  if (block.type === "resource_link") return `[resource ${block.name} ${block.uri}]`;
  if (block.type !== "resource") return `[${block.type}, ${block.mimeType}, ${size(block.data)}: not shown]`;
  const { uri, mimeType, text, blob = "" } = block.resource;
  return text ?? `[resource ${uri}, ${mimeType}, ${size(blob)}: not shown]`;
}
