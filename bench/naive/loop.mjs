// A coding agent as one writes it on the first afternoon: one conversation, the files to change whole in the first message, all
// of the history sent each turn, no cache mark, and whole files as the only way to write.
import { readFileSync } from "node:fs";
import { usageOf } from "../support/recorder.mjs";
import { runTool, TOOLS } from "./tools.mjs";

const SYSTEM = readFileSync(new URL("system.md", import.meta.url), "utf8").trim();
const MAX_TOKENS = 16_000;
const HEADERS = {
  authorization: "Bearer scripted",
  "anthropic-version": "2026-10-21",
  "content-type": "application/json",
};

/**
 * Plays one turn for each of `models`. `shown` are the paths whose files stand whole in the first message. Gives the transcript:
 * what was sent first, then a line for each turn with its usage.
 */
export async function runNaiveLoop({ url, folder, issue, shown, models }) {
  const files = shown.map((path) => {
    const content = runTool(folder, { name: "read_file", input: { path } });
    return `<file path="${path}">\n${content}</file>`;
  });
  const task = [issue, "Files:", ...files].join("\n\n");
  const messages = [{ role: "user", content: task }];
  const lines = [{ system: SYSTEM, task, tools: TOOLS.map(({ name }) => name) }];

  for (const [at, model] of models.entries()) {
    const response = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: HEADERS,
      body: JSON.stringify({ model, max_tokens: MAX_TOKENS, system: SYSTEM, tools: TOOLS, messages }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`turn ${at + 1} of the naive loop: ${answer.error?.message}`);
    const calls = answer.content.filter(({ type }) => type === "tool_use");
    const results = calls.map((call) => runTool(folder, call));
    messages.push(
      { role: "assistant", content: answer.content },
      {
        role: "user",
        content: calls.map(({ id }, index) => ({
          type: "tool_result",
          tool_use_id: id,
          content: results[index],
        })),
      },
    );
    const said = answer.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
    lines.push({
      turn: at + 1,
      model,
      usage: usageOf(answer.usage),
      ...(said.length > 0 && { said: said.join("\n") }),
      calls: calls.map(({ name, input }, index) => ({ name, input, result: results[index] })),
    });
  }
  return lines;
}
