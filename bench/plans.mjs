// What doing a plan costs beside its model calls, and what doing independent tasks side by side gains. The time counts from the
// design's answer to the last answer about a task: plan, schedule, copies of the checkout, packs, merges, commits and pushes.
import { parseScenarios, startScriptedModel } from "../dist/forge/index.js";
import { judgeTargets } from "./support/judge-targets.mjs";
import { startRecorder } from "./support/recorder.mjs";
import { startStack, workOn } from "./support/stack.mjs";

const MOST_OVERHEAD_S = 3;
const LEAST_SPEED_UP = 2.5;
const TASKS = 20;
const SLOW_MODEL_MS = 1000;
const FILES = 200;
const clock = { now: () => Date.now() };

const done = (input) => ({ call: [{ tool: "complete_task", input }] });

/** A plan of independent tasks, each of which writes one file. */
function scenarios(count) {
  const criteria = Array.from({ length: 12 }, (_, at) => ({
    id: `AC-${at + 1}`,
    text: `WHEN read THEN ${at}`,
  }));
  const tasks = Array.from({ length: count }, (_, at) => ({
    id: `T${at + 1}`,
    title: `Part ${at + 1}`,
    kind: "feature",
    criteria: [`AC-${(at % 12) + 1}`],
    files: [`src/part-${at + 1}.txt`],
    after: [],
  }));
  const none = { decisions: [], files: [], risks: [], tests: [], archaeology: [] };
  const path = "src/{{task.match:Do task (\\w+) of}}.txt";
  return JSON.stringify([
    {
      name: "requirement",
      when: { systemContains: "Your job: the requirement" },
      turns: [done({ title: "Parts", problem: "None.", scope: [], criteria, nonGoals: [], questions: [] })],
    },
    {
      name: "design",
      when: { systemContains: "Your job: the design" },
      turns: [done({ summary: "Parts.", ...none, tasks })],
    },
    {
      name: "task",
      when: { systemContains: "Your job: one task" },
      turns: [
        { call: [{ tool: "write_file", input: { path, content: "A part.\n" } }] },
        done({ summary: "Written.", evidence: [] }),
      ],
    },
    {
      name: "lesson",
      when: { systemContains: "Your job: what was learnt" },
      turns: [done({ lesson: null })],
    },
  ]);
}

/** Seconds that the tasks of one requirement took. */
async function secondsOf({ count, delayMs, atOnce }) {
  const model = await startScriptedModel({
    scenarios: parseScenarios(scenarios(count)),
    clock,
    delayMs,
  });
  const recorder = await startRecorder(model.url);
  const files = Object.fromEntries(
    Array.from({ length: FILES }, (_, at) => [`src/file-${at}.js`, `export const value${at} = ${at};\n`]),
  );
  const settings = `agent:\n  parallel_tasks: ${atOnce}\n  investigate: never\n  reviewers: []\n`;
  const stack = await startStack({
    modelUrl: recorder.url,
    name: "parts",
    files: {
      ...files,
      "package.json": '{ "private": true, "scripts": { "test": "true" } }\n',
      ".github/agent.yml": settings,
    },
  });
  try {
    await workOn(stack, "Add the parts", "Please.");
    const asked = (words) =>
      recorder.calls().filter(({ request }) => JSON.stringify(request).includes(words));
    const designed = asked("Your job: the design").at(-1);
    const last = Math.max(...asked("Your job: one task").map(({ to }) => to));
    return (last - designed.to) / 1000;
  } finally {
    await stack.close();
    await recorder.close();
    await model.close();
  }
}

const round = (value) => Math.round(value * 100) / 100;

/** See docs/benchmarks.md. */
export async function measure() {
  const overhead = await secondsOf({ count: TASKS, delayMs: 0, atOnce: 4 });
  const oneByOne = await secondsOf({ count: 4, delayMs: SLOW_MODEL_MS, atOnce: 1 });
  const together = await secondsOf({ count: 4, delayMs: SLOW_MODEL_MS, atOnce: 4 });
  const numbers = {
    overheadS: round(overhead),
    oneByOneS: round(oneByOne),
    togetherS: round(together),
    speedUp: round(oneByOne / together),
  };
  const judged = judgeTargets(
    [
      [`${TASKS} tasks beside their model calls, s`, numbers.overheadS, MOST_OVERHEAD_S],
      ["4 independent tasks, one by one ÷ side by side", numbers.speedUp, LEAST_SPEED_UP, "least"],
    ],
    numbers,
  );
  const line = `4 tasks with a model that takes 1 s: ${numbers.oneByOneS} s one by one, ${numbers.togetherS} s side by side`;
  return { ...judged, lines: [line, ...judged.lines] };
}
