import { createInterface } from "node:readline/promises";
import type { CommandSystem } from "./output.js";

/** Asks the person at a terminal to allow something; only a plain yes counts. Null where nobody sits there. */
export function terminalAsker(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
): CommandSystem["askPerson"] {
  if (!input.isTTY || !output.isTTY) return null;
  return async (question, signal) => {
    const terminal = createInterface({ input, output });
    try {
      const said = await terminal.question(`\n${question} [y/N] `, { signal });
      return /^\s*(?:y|yes|是|好)\s*$/iu.test(said);
    } finally {
      terminal.close();
    }
  };
}
