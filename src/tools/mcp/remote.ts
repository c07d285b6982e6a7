import { z } from "zod";

/** A tool as a server declares it, as far as we use it. */
export const RemoteTool = z.object({
  name: z.string().min(1),
  description: z.string().default(""),
  inputSchema: z.record(z.string(), z.unknown()).default({ type: "object" }),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  annotations: z.object({ readOnlyHint: z.boolean().default(false) }).default({ readOnlyHint: false }),
});
/** See the schema of the same name. */
export type RemoteTool = z.output<typeof RemoteTool>;

/** A prompt as a server declares it. */
export const RemotePrompt = z.object({
  name: z.string().min(1),
  description: z.string().default(""),
  arguments: z
    .array(
      z.object({
        name: z.string().min(1),
        description: z.string().default(""),
        required: z.boolean().default(false),
      }),
    )
    .default([]),
});
/** See the schema of the same name. */
export type RemotePrompt = z.output<typeof RemotePrompt>;

/** What a called tool gives back. */
export const RemoteResult = z.object({
  content: z.array(z.unknown()).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
});
/** See the schema of the same name. */
export type RemoteResult = z.output<typeof RemoteResult>;

/** What a prompt gives back. */
export const RemoteMessages = z.object({
  messages: z.array(z.object({ role: z.enum(["user", "assistant"]), content: z.unknown() })),
});
/** See the schema of the same name. */
export type RemoteMessages = z.output<typeof RemoteMessages>;
