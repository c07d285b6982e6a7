import type { Command } from "commander";

/** What is asked, and who is asked for the answer. */
export interface AskInput {
  text: string;
  modelUrl: string | null;
}

/** What every command is asked with. */
interface Asked {
  json: boolean;
  repo: string;
}

/** Adds the arguments of `ask`. */
export function addAsk(command: Command, run: (options: Asked, input: AskInput) => Promise<void>): void {
  command
    .argument("<question...>", "what is to be answered; put -- before a text that begins with a dash")
    .option("--model-url <url>", "address of the model's API")
    .action((words: string[], options: Asked & { modelUrl?: string }) =>
      run(options, { text: words.join(" "), modelUrl: options.modelUrl ?? null }),
    );
}
