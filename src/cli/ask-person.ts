import { on } from "node:events";
import { createInterface } from "node:readline/promises";
import { AccrueError } from "../shared/index.js";
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

/** Asks the person at a terminal for lines of text, one after the other. Null where nobody sits there. */
export function terminalInterviewer(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
): CommandSystem["interview"] {
  if (!input.isTTY || !output.isTTY) return null;
  return async (questions, signal) => {
    const terminal = createInterface({ input, output });
    const left = new AbortController();
    const leave = () =>
      left.abort(new AccrueError("RUN_STOPPED", "The questions were left: nothing was written."));
    terminal.once("SIGINT", leave);
    terminal.once("close", leave);
    signal.addEventListener("abort", leave, { once: true });
    // Kept from the first on: a pasted text answers several questions at once.
    const lines = on(terminal, "line", { signal: left.signal }) as AsyncIterator<[string]>;
    try {
      const answers: string[] = [];
      for (const { question, offered } of questions) {
        terminal.setPrompt(offered === "" ? `${question}: ` : `${question} (${offered}): `);
        terminal.prompt();
        const { value } = await lines.next();
        answers.push(value[0].trim() || offered);
      }
      return answers;
    } catch (error) {
      left.signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", leave);
      terminal.close();
    }
  };
}
