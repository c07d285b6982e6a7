import { z } from "zod";

/** `sandbox:` of `.github/agent.yml`: where the agent's commands run. */
export const SandboxConfig = z.strictObject({
  level: z
    .enum(["auto", "bwrap", "none"])
    .default("auto")
    .describe(
      "auto and bwrap need a working bubblewrap and stop with its cure where there is none; none runs commands without a box.",
    ),
  uid: z
    .number()
    .int()
    .min(1)
    .max(4_294_967_294)
    .default(65534)
    .describe("User id of the commands when the bot itself runs as root."),
  network: z
    .array(z.string())
    .default([])
    .describe("Hosts that the agent's commands may reach; empty: no network."),
});

/** See the schema of the same name. */
export type SandboxConfig = z.infer<typeof SandboxConfig>;

/** `setup:` of `.github/agent.yml`: how the target's dependencies are installed before the agent works. */
export const SetupConfig = z.strictObject({
  commands: z
    .array(z.string().min(1))
    .default([])
    .describe("Replace what is detected (npm ci, pip install, …)."),
  network: z
    .array(z.string())
    .default([])
    .describe("Hosts that setup may reach besides the detected tool's own registry."),
  cache: z.boolean().default(true).describe("Keep installed dependencies by the lockfile's hash."),
});

/** See the schema of the same name. */
export type SetupConfig = z.infer<typeof SetupConfig>;
