import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { runAgent, type AgentDeps, type AgentEvent, type AgentSpec } from "../../src/agent/index.js";
import type { Message } from "../../src/model/index.js";
import { builtinTools, createRegistry, type Tool } from "../../src/tools/index.js";
import { ATTRIBUTION, openAskedModel } from "./asked-model.js";
import { openLocalWorkspace } from "./local-workspace.js";

const Output = z.strictObject({ summary: z.string().min(3) });

/** Calls for scripts: the result that fits the schema, and a read that works. */
export const DONE = { tool: "complete_task", input: { summary: "It works." } };
export const READ = { tool: "read_file", input: { path: "a.ts" } };

interface Setting {
  spec?: Partial<AgentSpec<z.output<typeof Output>>>;
  deps?: Partial<AgentDeps>;
  tools?: Tool[];
  signal?: AbortSignal;
  /** Called before the run begins, to queue faults. */
  prepare?(asked: Awaited<ReturnType<typeof openAskedModel>>): void;
}

/** A workspace with one file, and agents that run in it against scripted turns. */
export async function openAgentBench() {
  const workspace = await openLocalWorkspace();
  await workspace.context.files.write("a.ts", "export const a = 1;\n");
  const opened: { close(): Promise<void> }[] = [workspace];
  return {
    files: workspace.context.files,
    play: async (turns: unknown[], setting: Setting = {}) => {
      const asked = await openAskedModel([{ name: "script", when: {}, turns }], { maxTurnRetries: 0 });
      opened.push(asked);
      return play(workspace, asked, setting);
    },
    close: () => Promise.all(opened.map((one) => one.close())),
  };
}

async function play(
  workspace: Awaited<ReturnType<typeof openLocalWorkspace>>,
  asked: Awaited<ReturnType<typeof openAskedModel>>,
  setting: Setting,
) {
  setting.prepare?.(asked);
  const events: AgentEvent[] = [];
  const transcript = join(workspace.base, "runs", "t.jsonl");
  const end = await runAgent(
    {
      tier: "executor",
      system: "You are the executor.",
      task: "Make it work.",
      output: Output,
      tools: ["*"],
      maxTurns: 10,
      maxMs: 60_000,
      maxOutputTokens: 2000,
      attribution: ATTRIBUTION,
      context: workspace.context,
      transcript,
      ...setting.spec,
    },
    {
      model: asked.model,
      registry: createRegistry([...builtinTools(), ...(setting.tools ?? [])]),
      clock: asked.clock,
      onEvent: (event) => void events.push(event),
      limit: () => null,
      ...setting.deps,
    },
    setting.signal ?? new AbortController().signal,
  );
  const requests = asked.scripted.requests();
  const lastMessages = (requests.at(-1)?.body as { messages: Message[] } | undefined)?.messages ?? [];
  return {
    end,
    events,
    asked,
    /** Every request that was sent was legal: the scripted model refuses others. */
    statuses: requests.map(({ status }) => status),
    lastMessages,
    lastUser: JSON.stringify(lastMessages.at(-1)?.content),
    lines: (await readFile(transcript, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
