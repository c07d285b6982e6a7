import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { agentTool, runAgent, type AgentEnd } from "../../src/agent/index.js";
import { builtinTools, createRegistry, type Tool } from "../../src/tools/index.js";
import { ATTRIBUTION, openAskedModel } from "../support/asked-model.js";
import { DONE, openAgentBench, READ, TEXTS } from "../support/agent-bench.js";

let bench: Awaited<ReturnType<typeof openAgentBench>>;
let child: Awaited<ReturnType<typeof openAskedModel>>;
beforeEach(async () => {
  bench = await openAgentBench();
});
afterEach(() => Promise.all([bench.close(), child.close()]));

const Answer = z.strictObject({ answer: z.string() });

/** A parent that asks an investigator once, who has these turns. */
async function ask(turns: unknown[], isStopped = false) {
  const stop = new AbortController();
  child = await openAskedModel([{ name: "child", when: {}, turns }], { maxTurnRetries: 0 });
  const ends: AgentEnd<unknown>[] = [];
  let count = 0;
  const investigator: Tool = agentTool({
    name: "investigator",
    description: "Answers a question about the code.",
    input: z.strictObject({ question: z.string() }),
    writes: false,
    timeoutMs: 60_000,
    async call({ question }, context, signal) {
      const end = await runAgent(
        {
          tier: "executor",
          system: "You are the investigator.",
          task: question,
          output: Answer,
          tools: ["*"],
          isSubagent: true,
          maxTurns: 2,
          maxMs: 60_000,
          maxOutputTokens: 1_000,
          compression: { at: 0.5, atTokens: 150_000, keep: 0.3 },
          attribution: { ...ATTRIBUTION, agent: `${ATTRIBUTION.agent}/investigator` },
          context,
          transcript: join(context.artefacts, `child-${++count}.jsonl`),
          resume: false,
        },
        {
          model: child.model,
          registry: createRegistry([...builtinTools(), investigator]),
          clock: child.clock,
          texts: TEXTS,
          onEvent: ({ type }) => {
            if (type === "tool" && isStopped) setTimeout(() => stop.abort(new Error("stop")), 50);
          },
          budget: { reached: () => null },
        },
        signal,
      );
      ends.push(end);
      return end;
    },
  });
  const question = { tool: "investigator", input: { question: "Where is a?" } };
  const parent = await bench.play([{ call: [question, question] }, { call: [DONE] }], {
    tools: [investigator],
    signal: stop.signal,
  });
  const results = parent.lines.find((line) => line.type === "results")?.content ?? [];
  return { parent, ends, results, child };
}

describe("a subagent called as a tool", () => {
  it("RT-19: gives back its validated output alone, also when that is all it does", async () => {
    const { parent, results, child } = await ask([
      { call: [{ tool: "complete_task", input: { answer: "a.ts:1" } }] },
    ]);
    expect(parent.end.reason).toBe("GOAL");
    expect(results.map(({ content, is_error }) => [content, is_error])).toEqual([
      ['{"answer":"a.ts:1"}', undefined],
      ['{"answer":"a.ts:1"}', undefined],
    ]);
    expect(child.entries.every(({ agent }) => agent === "implementation-executor/investigator")).toBe(true);
  });

  it("has a history of its own, and no other agents as tools", async () => {
    const { child, parent } = await ask([
      { say: "A secret thought.", call: [READ] },
      { call: [{ tool: "complete_task", input: { answer: "a.ts:1" } }] },
    ]);
    const body = child.scripted.requests().at(-1)?.body as { tools: { name: string }[] };
    expect(body.tools.map(({ name }) => name)).not.toContain("investigator");
    expect(JSON.stringify(parent.lastMessages)).not.toContain("secret");
  });

  it("says why it has no result, with what it has, and the parent goes on", async () => {
    const { parent, results } = await ask([
      { when: { notSeen: "turns are used up" }, call: [READ], repeat: true },
      { call: [{ tool: "complete_task", input: { answer: "half" } }] },
    ]);
    expect(parent.end.reason).toBe("GOAL");
    expect(results[0]).toMatchObject({ is_error: true });
    expect(results[0]?.content).toContain("investigator ended with MAX_TURNS after 2 turns");
    expect(results[0]?.content).toContain('Its unfinished result: {"answer":"half"}');
  });

  it("is stopped with its parent", async () => {
    const sleep = { tool: "run", input: { command: "sleep 20" } };
    const { parent, results, ends } = await ask([{ call: [sleep] }], true);
    expect(parent.end.reason).toBe("ABORTED");
    expect(results.map(({ content }) => content.split(":")[0])).toEqual(["Cancelled", "Cancelled"]);
    expect(ends.every(({ reason }) => reason === "ABORTED")).toBe(true);
  });
});
