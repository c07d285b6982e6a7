import { AccrueError, clipMiddle } from "../../shared/index.js";
import type { Connection } from "./connect.js";
import { contentText } from "./content-text.js";
import { commandName } from "./names.js";
import { promptArguments, promptUsage } from "./prompt-arguments.js";
import type { RemotePrompt } from "./remote.js";

const MAX_PROMPT_CHARS = 20_000;
const ROLES = { user: "User", assistant: "Assistant" };

/** A prompt of an MCP server as a command that a person can type. */
export interface PromptCommand {
  /** `<server>:<prompt>`. */
  name: string;
  description: string;
  arguments: RemotePrompt["arguments"];
  /** How it is typed. */
  usage: string;
  /**
   * The text that the command stands for, from what was typed after it. Throws `INPUT_INVALID` when that does not fit. The text
   * is the server's: it is what a person asked for, but not our words.
   */
  expand(typed: string, signal: AbortSignal): Promise<string>;
}

/** Makes a command of a server's prompt: all of its arguments can be given, all of its messages are used. */
export function promptCommand(connection: Connection, prompt: RemotePrompt): PromptCommand {
  const name = commandName(connection.server, prompt.name);
  return {
    name,
    description: prompt.description,
    arguments: prompt.arguments,
    usage: promptUsage(name, prompt.arguments),
    async expand(typed, signal) {
      const values = promptArguments(name, typed, prompt.arguments);
      const { messages } = await connection.prompt(prompt.name, values, signal);
      const isDialogue = new Set(messages.map(({ role }) => role)).size > 1;
      const texts = messages.flatMap(({ role, content }) => {
        const text = (Array.isArray(content) ? content : [content]).map(contentText).join("\n").trim();
        return text === "" ? [] : [isDialogue ? `${ROLES[role]}: ${text}` : text];
      });
      if (texts.length === 0) throw new AccrueError("INPUT_INVALID", `/${name} gave no text.`);
      return clipMiddle(connection.redact(texts.join("\n\n")), MAX_PROMPT_CHARS);
    },
  };
}
