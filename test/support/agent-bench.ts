import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import {
  readNotices,
  readTranscript,
  runAgent,
  type AgentDeps,
  type AgentEvent,
  type AgentSpec,
  type AgentTexts,
} from "../../src/agent/index.js";
import type { Message, ModelWindow } from "../../src/model/index.js";
import { builtinTools, createRegistry, type Tool } from "../../src/tools/index.js";
import { ATTRIBUTION, openAskedModel } from "./asked-model.js";
import { openLocalWorkspace } from "./local-workspace.js";

const prompt = (name: string) =>
  readFileSync(new URL(`../../rules/prompts/${name}.md`, import.meta.url), "utf8");

/** The prose of the loop as shipped. */
export const TEXTS: AgentTexts = { ...readNotices(prompt("notices")), compress: prompt("compress") };

/** Fits the summary's system prompt, and no agent's. */
export const SUMMARY = { systemContains: "You condense" };

const Output = z.strictObject({ summary: z.string().min(3) });

/** Calls for scripts: the result that fits the schema, and a read that works. */
export const DONE = { tool: "complete_task", input: { summary: "It works." } };
export const READ = { tool: "read_file", input: { path: "a.ts" } };

interface Setting {
  spec?: Partial<AgentSpec<z.output<typeof Output>>>;
  deps?: Partial<AgentDeps>;
  tools?: Tool[];
  /** Tried before the agent's own turns. */
  scenarios?: unknown[];
  /** What the agent's model is said to hold. */
  window?: ModelWindow;
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
    context: workspace.context,
    transcript: transcriptIn(workspace.base),
    play: async (turns: unknown[], setting: Setting = {}) => {
      const asked = await openAskedModel(
        [...(setting.scenarios ?? []), { name: "script", when: {}, turns }],
        { maxTurnRetries: 0 },
      );
      opened.push(asked);
      return play(workspace, asked, setting);
    },
    close: () => Promise.all(opened.map((one) => one.close())),
  };
}

function transcriptIn(base: string): string {
  return join(base, "runs", "t.jsonl");
}

async function play(
  workspace: Awaited<ReturnType<typeof openLocalWorkspace>>,
  asked: Awaited<ReturnType<typeof openAskedModel>>,
  setting: Setting,
) {
  setting.prepare?.(asked);
  const events: AgentEvent[] = [];
  const transcript = transcriptIn(workspace.base);
  const { window, spec, deps } = setting;
  const model = window ? { ...asked.model, window: () => window } : asked.model;
  const end = await runAgent(
    {
      tier: "executor",
      system: "You are the executor.",
      task: "Make it work.",
      output: Output,
      tools: ["*"],
      isSubagent: false,
      maxTurns: 10,
      maxMs: 60_000,
      maxOutputTokens: 2000,
      compression: { at: 0.5, atTokens: 150_000, keep: 0.3 },
      attribution: ATTRIBUTION,
      context: workspace.context,
      transcript,
      resume: false,
      ...spec,
    },
    {
      model,
      registry: createRegistry([...builtinTools(), ...(setting.tools ?? [])]),
      clock: asked.clock,
      onEvent: (event) => void events.push(event),
      texts: TEXTS,
      budget: { reached: () => null },
      ...deps,
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
    lines: (await readTranscript(transcript)).lines,
  };
}
