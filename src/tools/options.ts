import { z } from "zod";

/** `tools:` of `.github/agent.yml`: what the agents may use besides what Accrue brings, and what they may not. */
export const ToolOptions = z
  .strictObject({
    discovery_command: z
      .string()
      .default("")
      .describe(
        "Prints the declarations of the repository's own tools as JSON; runs in the box. Empty: none.",
      ),
    call_command: z
      .string()
      .default("")
      .describe("Runs one of them: gets its name as last argument and the input as JSON on standard input."),
    exclude: z
      .array(z.string().min(1))
      .default([])
      .describe("Tools that no agent gets: names, mcp_jira_*, or run(git push) for commands that begin so."),
  })
  .refine(
    ({ discovery_command, call_command }) => (discovery_command === "") === (call_command === ""),
    "discovery_command and call_command need each other: set both or neither",
  );

/** See the schema of the same name. */
export type ToolOptions = z.infer<typeof ToolOptions>;
