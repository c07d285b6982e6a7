import { z } from "zod";

/** `validate:` of `.github/agent.yml`. */
export const ValidateConfig = z.strictObject({
  commands: z
    .record(z.enum(["tests", "types"]), z.string().min(1))
    .or(z.record(z.string(), z.string().min(1)))
    .default({})
    .describe("Commands that replace what is detected, by kind: tests, types, or a name of your own."),
});

/** See the schema of the same name. */
export type ValidateConfig = z.infer<typeof ValidateConfig>;
