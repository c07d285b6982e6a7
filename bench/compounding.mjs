// Whether the next similar requirement is cheaper: eight in a row, with what was learnt, without, and with other notes in its place.
// The scripted model looks around until it is told where things are; its prompt cache is cold for each requirement. Investigators and
// reviewers, who script nothing of that, are left out of what is judged; one series shows the same with them.
import { setTimeout as delay } from "node:timers/promises";
import { parseScenarios, startScriptedModel } from "../dist/forge/index.js";
import { distractors } from "./support/distractors.mjs";
import { MODULES, eightModules, longExploring } from "./support/eight-modules.mjs";
import { judgeTargets } from "./support/judge-targets.mjs";
import { startStack, workOn } from "./support/stack.mjs";

const DAY_MS = 86_400_000;
const LAST_OF_FIRST = 0.4;
const MOST_SHUFFLED = 1.05;
const PEOPLE = 5;
const PATIENCE_MS = 120_000;
const REPOSITORY = "roster";
/**
 * What is judged is what memory does to the agents whose exploring is scripted. Without what was learnt a design reads more than a task
 * may by default, and would stop for a person.
 */
const ALONE = {
  ".github/agent.yml":
    "agent:\n  investigate: never\n  reviewers: []\nbudget:\n  task: { tokens: null, usd: 2 }\n",
};
const round = (value) => Math.round(value * 10_000) / 10_000;
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** What a requirement cost, from its cost events in git. */
async function costOf(stack, issue) {
  const pulls = await stack.call("GET", "/pulls?state=all&per_page=100");
  const pull = pulls.find(({ head }) => head.ref.includes(`REQ-${issue}-`));
  const at = `?ref=${encodeURIComponent(pull.head.ref)}`;
  const files = await stack.call("GET", `/contents/requirements/events/REQ-${issue}${at}`);
  const cost = { calls: 0, usd: 0, pull: pull.number };
  for (const { path } of files.filter((file) => file.path.endsWith("-cost.json"))) {
    const { content } = await stack.call("GET", `/contents/${path}${at}`);
    for (const row of JSON.parse(Buffer.from(content, "base64").toString()).rows) {
      cost.calls += row.calls;
      cost.usd += row.micro_usd / 1e6;
    }
  }
  return cost;
}

async function merge(stack, { pull, issue }) {
  const { node_id: id, draft } = await stack.call("GET", `/pulls/${pull}`);
  if (draft) await stack.ready(id);
  await stack.call("PUT", `/pulls/${pull}/merge`, {});
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const comments = await stack.call("GET", `/issues/${issue}/comments?per_page=100`);
    if (comments.some(({ body }) => body.includes("<!-- accrue:status") && body.includes("**Completed**")))
      return;
    if (performance.now() > end)
      throw new Error(`#${issue} was merged and not completed in ${PATIENCE_MS} ms.`);
    await delay(100);
  }
}

/** All files of a folder on the default branch. */
async function filesIn(stack, folder) {
  const answer = await stack.call("GET", "/git/trees/main?recursive=1");
  return answer.tree.map(({ path }) => path).filter((path) => path.startsWith(folder));
}

function unrelated(text, index) {
  return `---\nid: EXP-0000${String(index).padStart(4, "0")}\ntype: fact\nstatus: active\ntrust: bot\n---\n\n# ${text.slice(0, 60)}\n\n## Solution\n\n${text}\n`;
}

/** What becomes of the knowledge after each requirement. */
const AFTER = {
  with: async () => {},
  without: async (stack) => {
    const files = (await filesIn(stack, "context/")).map((path) => [path, null]);
    if (files.length > 0) await commit(stack, files, "Forget what was learnt");
  },
  shuffled: async (stack, index) => {
    const known = await filesIn(stack, "context/");
    const others = distractors(8 * (index + 1)).map((text, at) => [
      `context/experience/note-${at}.md`,
      unrelated(text, at),
    ]);
    await commit(stack, [...known.map((path) => [path, null]), ...others], "Put other notes in place");
  },
};

function commit(stack, files, message) {
  return stack.forge.control.commit({
    repository: `acme/${REPOSITORY}`,
    branch: "main",
    files: Object.fromEntries(files),
    message,
    login: "maya",
  });
}

async function series(kind, settings = ALONE) {
  let days = 0;
  const model = await startScriptedModel({
    scenarios: parseScenarios(longExploring()),
    clock: { now: () => Date.now() + days * DAY_MS },
  });
  const stack = await startStack({
    modelUrl: model.url,
    name: REPOSITORY,
    files: { ...eightModules(), ...settings },
  });
  const costs = [];
  try {
    for (const [index, module] of MODULES.entries()) {
      const issue = await workOn(
        stack,
        `add CSV export to the ${module} module`,
        "For spreadsheets, please.",
      );
      const cost = await costOf(stack, issue);
      costs.push(cost);
      await merge(stack, { pull: cost.pull, issue });
      await AFTER[kind](stack, index);
      days += 1;
    }
  } finally {
    await stack.close();
    await model.close();
  }
  return costs.map(({ calls, usd }) => ({ calls, usd: round(usd) }));
}

/** See docs/benchmarks.md. */
export async function measure() {
  const numbers = {};
  for (const kind of Object.keys(AFTER)) numbers[kind] = await series(kind);
  numbers.shipped = await series("with", {});
  const { with: having, without, shuffled } = numbers;
  const lines = Object.entries(numbers).map(
    ([kind, costs]) =>
      `${kind.padEnd(9)} ${costs.map(({ calls, usd }) => `${calls} / $${usd.toFixed(3)}`).join("  ")}`,
  );
  const alone = sum(without.slice(0, 2).map(({ usd }) => usd)) * PEOPLE;
  const together =
    having[0].usd + sum(having.slice(1).map(({ usd }) => usd)) * ((2 * PEOPLE - 1) / (having.length - 1));
  lines.push(
    `${PEOPLE} people with 2 similar requirements each: $${alone.toFixed(2)} each for oneself, $${together.toFixed(2)} together (${Math.round((100 * together) / alone)} %)`,
  );
  const targets = [
    ["the eighth ÷ the first", having.at(-1).usd / having[0].usd, LAST_OF_FIRST],
    [
      "shuffled ÷ without, dearest pair",
      Math.max(...shuffled.map(({ usd }, at) => usd / without[at].usd)),
      MOST_SHUFFLED,
    ],
  ];
  const judged = judgeTargets(targets, numbers);
  return { ...judged, lines: [...lines, ...judged.lines] };
}
