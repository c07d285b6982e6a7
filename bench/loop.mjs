// What the loop itself costs a turn, without a model's time: 100 and 1,000 turns with a model that answers at once.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { readNotices, runAgent } from "../dist/agent/index.js";
import { loadSkills } from "../dist/skills/index.js";
import { createRegistry, createSeenFiles, defineTool } from "../dist/tools/index.js";

const TARGETS = { msPerTurn: 2, growth: 1.5 };
const TURNS = [100, 1_000];
const REPEATS = 3;
const RESULT = "a line of a tool's result, as long as lines are\n".repeat(20);

const skills = loadSkills(new URL("../rules/", import.meta.url));
const texts = { ...readNotices(skills.prompt("notices", {})), compress: skills.prompt("compress", {}) };

const look = defineTool({
  name: "look",
  description: "Looks at a place.",
  kind: "read",
  input: z.strictObject({ place: z.int() }),
  run: () => Promise.resolve(RESULT),
});

/** Asks for another look each turn, and completes in the last one. Notes when each turn was asked. */
function instantModel(turns, asked) {
  const usage = { input: 100, cacheRead: 1_000, cacheWrite: 100, output: 50 };
  return {
    window: () => null,
    ask: () => {
      asked.push(performance.now());
      const turn = asked.length;
      const isLast = turn === turns;
      const [name, input] = isLast ? ["complete_task", { done: true }] : ["look", { place: turn }];
      const id = `call_${turn}`;
      return Promise.resolve({
        content: [{ type: "tool_use", id, name, input }],
        calls: [{ id, name, input, problem: null }],
        stopReason: "tool_use",
        usage,
        model: "instant",
        costNanoUsd: 0,
      });
    },
  };
}

async function run(turns) {
  const folder = mkdtempSync(join(tmpdir(), "accrue-loop-"));
  const asked = [];
  const started = performance.now();
  const cpu = process.cpuUsage();
  try {
    const end = await runAgent(
      {
        tier: "executor",
        system: "You look at places.",
        task: "Look at all of them.",
        output: z.strictObject({ done: z.boolean() }),
        tools: ["look"],
        isSubagent: false,
        compression: { at: 0.5, atTokens: 150_000, keep: 0.3 },
        resume: false,
        maxTurns: turns,
        maxMs: 600_000,
        maxOutputTokens: 1_000,
        attribution: {},
        context: {
          files: null,
          box: null,
          seen: createSeenFiles(),
          artefacts: join(folder, "outputs"),
          handOver: join(folder, "hand-over.md"),
          problemOf: () => Promise.resolve(null),
          history: null,
          showTodo: () => {},
          askPerson: null,
        },
        transcript: join(folder, "transcript.jsonl"),
      },
      {
        model: instantModel(turns, asked),
        registry: createRegistry([look]),
        clock: { now: () => Date.now() },
        onEvent: () => {},
        texts,
        budget: { reached: () => null },
      },
      new AbortController().signal,
    );
    if (end.reason !== "GOAL" || end.turns !== turns) throw new Error(`ended with ${JSON.stringify(end)}`);
    const { user, system } = process.cpuUsage(cpu);
    return {
      msPerTurn: (performance.now() - started) / turns,
      cpuMsPerTurn: (user + system) / 1000 / turns,
      asked,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** How much longer the last turns of a run take than its first, the very first left out: it starts cold. */
function growthOf(asked) {
  const steps = asked.slice(1).map((at, index) => at - asked[index]);
  return median(steps.slice(-100)) / median(steps.slice(1, 101));
}

export async function measure() {
  await run(TURNS[0]);
  const numbers = {};
  for (const turns of TURNS) {
    const runs = [];
    for (let count = 0; count < REPEATS; count++) runs.push(await run(turns));
    numbers[turns] = {
      msPerTurn: median(runs.map(({ msPerTurn }) => msPerTurn)),
      // Beside it, because on a machine that is busy otherwise the time is mostly others'.
      cpuMsPerTurn: median(runs.map(({ cpuMsPerTurn }) => cpuMsPerTurn)),
      growth: turns > 200 ? median(runs.map(({ asked }) => growthOf(asked))) : null,
    };
  }
  const [few, many] = TURNS.map((turns) => numbers[turns]);
  const rows = [
    [`ms a turn at ${TURNS[0]} turns`, few.msPerTurn, TARGETS.msPerTurn],
    [`ms a turn at ${TURNS[1]} turns`, many.msPerTurn, TARGETS.msPerTurn],
    [`last 100 ÷ first 100 of ${TURNS[1]} turns, medians`, many.growth, TARGETS.growth],
  ];
  const lines = rows.map(
    ([what, value, target]) =>
      `${value < target ? "reached" : "MISSED "}  ${what}: ${value.toFixed(3)} (target < ${target}, ratio ${(value / target).toFixed(2)})`,
  );
  lines.push(`CPU ms a turn: ${few.cpuMsPerTurn.toFixed(3)} and ${many.cpuMsPerTurn.toFixed(3)}`);
  return { numbers, lines, isMet: rows.every(([, value, target]) => value < target) };
}
