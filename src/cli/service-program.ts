import type { Command } from "commander";

/** Which services are read, and who is asked about them. */
export interface LoadServiceInput {
  sources: string[];
  modelUrl: string | null;
}

/** Adds the arguments of `load-service`. */
export function addLoadService(
  command: Command,
  run: (self: Command, input: LoadServiceInput) => Promise<void>,
): void {
  const named = "folders, https addresses, owner/name, or names under services of the configuration";
  command
    .argument("<source...>", named)
    .option("--model-url <url>", "address of the model's API")
    .action((sources: string[], options: { modelUrl?: string }, self: Command) =>
      run(self, { sources, modelUrl: options.modelUrl ?? null }),
    );
}
