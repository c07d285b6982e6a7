// Fifty agents at once on one key, while the model is overloaded and drops connections: who ends, what runs twice, what is billed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { readNotices, runAgent } from "../dist/agent/index.js";
import { openDatabase } from "../dist/db/index.js";
import { parseScenarios, startScriptedModel } from "../dist/forge/model/index.js";
import { createLedger } from "../dist/ledger/index.js";
import { createModels, loadPrices } from "../dist/model/index.js";
import { createUlids } from "../dist/shared/index.js";
import { loadSkills } from "../dist/skills/index.js";
import { createRegistry, createSeenFiles, defineTool } from "../dist/tools/index.js";

const AGENTS = 50;
const TURNS = 6;
const CHAOS = { seed: 11, overloaded: 0.05, drop: 0.02 };
const CLASSES = ["input", "cacheRead", "cacheWrite", "output"];

const packaged = (path) => new URL(`../${path}`, import.meta.url);
const clock = { now: () => Date.now() };

/** Each agent takes its steps one by one, then delivers. */
const scenarios = parseScenarios(
  JSON.stringify([
    {
      name: "steps",
      when: {},
      turns: [
        ...Array.from({ length: TURNS - 1 }, (_, at) => ({
          think: "One step after the other.",
          call: [{ tool: "step", input: { agent: "{{task.match:agent (\\d+)}}", step: at + 1 } }],
        })),
        { call: [{ tool: "complete_task", input: { done: true } }] },
      ],
    },
  ]),
);

const sum = (usages) =>
  Object.fromEntries(CLASSES.map((name) => [name, usages.reduce((total, usage) => total + usage[name], 0)]));

function specOf(agent, { folder, tools }) {
  const file = join(folder, `agent-${agent}`);
  return {
    tier: "executor",
    system: `You take steps. ${"Rules of the house. ".repeat(100)}`,
    task: `You are agent ${agent}: take all steps.`,
    output: z.strictObject({ done: z.boolean() }),
    tools,
    isSubagent: true,
    maxTurns: TURNS + 2,
    maxMs: 600_000,
    maxOutputTokens: 2_000,
    compression: { at: 0.5, atTokens: 150_000, keep: 0.3 },
    attribution: {
      repository: { host: "bench", owner: "bench", name: "bench" },
      requirement: "REQ-1",
      run: "01JB8Z0000000000000000000A",
      phase: "implement",
      task: "T1",
      agent: `lead/stepper#${agent}`,
      callType: "generate",
    },
    context: {
      files: null,
      box: null,
      seen: createSeenFiles(),
      artefacts: join(folder, "outputs"),
      handOver: `${file}.md`,
      problemOf: () => Promise.resolve(null),
      history: null,
      showTodo: () => {},
      askPerson: null,
    },
    transcript: `${file}.jsonl`,
    resume: false,
  };
}

async function play(folder, scripted) {
  const ledger = createLedger(openDatabase(join(folder, "ledger.db")));
  const skills = loadSkills(packaged("rules/"));
  const random = () => Math.random();
  const model = createModels(
    {
      clock,
      newId: createUlids(clock),
      recorder: ledger,
      random,
      prompt: skills.prompt,
    },
    {
      prices: loadPrices(packaged("data/prices.json")),
      env: {},
      isShared: false,
      anthropic: { key: "bench", url: scripted.url },
    },
  )({
    planner: "anthropic/claude-opus-5-5",
    executor: "anthropic/claude-haiku-5-5",
    validator: "anthropic/claude-sonnet-5-5",
    providers: {},
    prices: {},
  });
  const executed = new Map();
  const step = defineTool({
    name: "step",
    description: "Takes a step.",
    kind: "write",
    input: z.strictObject({ agent: z.string(), step: z.int() }),
    run: ({ agent, step: number }) => {
      const key = `${agent}.${number}`;
      executed.set(key, (executed.get(key) ?? 0) + 1);
      return Promise.resolve(`Step ${number} is taken.`);
    },
  });
  const texts = { ...readNotices(skills.prompt("notices", {})), compress: skills.prompt("compress", {}) };
  const deps = {
    model,
    registry: createRegistry([step]),
    clock,
    texts,
    budget: { reached: () => null },
    onEvent: () => {},
  };
  const signal = new AbortController().signal;
  const ends = await Promise.all(
    Array.from({ length: AGENTS }, (_, agent) =>
      runAgent(specOf(agent, { folder, tools: ["step"] }), deps, signal),
    ),
  );
  return { ends, executed, entries: ledger.entries({}) };
}

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "accrue-parallel-"));
  const scripted = await startScriptedModel({ scenarios, clock });
  scripted.chaos(CHAOS);
  try {
    const started = performance.now();
    const { ends, executed, entries } = await play(folder, scripted);
    const seconds = (performance.now() - started) / 1000;
    const requests = scripted.requests();
    const billed = sum(requests.flatMap((request) => request.billed ?? []));
    const booked = sum(entries.map(({ usage }) => usage));
    const answered = entries.filter(({ wasted }) => !wasted).length;
    const numbers = {
      agents: AGENTS,
      goals: ends.filter(({ reason }) => reason === "GOAL").length,
      turns: ends.reduce((total, { turns }) => total + turns, 0),
      answered,
      requests: requests.length,
      overloaded: requests.filter(({ status }) => status === 529).length,
      executed: executed.size,
      executedTwice: [...executed.values()].filter((times) => times > 1).length,
      billed,
      booked,
      seconds,
    };
    const checks = [
      [`${numbers.goals} of ${AGENTS} agents reached their goal`, numbers.goals === AGENTS],
      [
        `${numbers.executed} steps executed, ${numbers.executedTwice} of them twice`,
        numbers.executed === AGENTS * (TURNS - 1) && numbers.executedTwice === 0,
      ],
      [`${answered} answers used for ${numbers.turns} turns`, answered === numbers.turns],
      [
        CLASSES.map((name) => `${name} ${booked[name]} booked, ${billed[name]} billed`).join("; "),
        CLASSES.every((name) => booked[name] === billed[name]),
      ],
      [`${requests.length} requests, ${numbers.overloaded} of them 529`, numbers.overloaded > 0],
    ];
    const lines = checks.map(([what, holds]) => `${holds ? "reached" : "MISSED "}  ${what}`);
    return { numbers, lines, isMet: checks.every(([, holds]) => holds) };
  } finally {
    await scripted.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
