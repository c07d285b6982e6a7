import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { parseScenarios, startScriptedModel } from "../../src/forge/index.js";
import { accrue, personalRepository, temporaryFolder } from "../support/command-line.js";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const done = (input: object) => ({ call: [{ tool: "complete_task", input }] });
const criteria = ["AC-1"];
const requirement = {
  title: "A note",
  problem: "There is no note.",
  scope: ["A note"],
  criteria: [{ id: "AC-1", text: "WHEN the repository is read THEN there is a note." }],
  nonGoals: [],
  questions: [],
};
const design = {
  summary: "A file.",
  archaeology: [],
  decisions: [],
  files: [],
  risks: [],
  tests: [],
  tasks: [{ id: "T1", title: "Write it", kind: "docs", criteria, files: [], after: [] }],
};
const ID = "01ZZZZZZZZZZZZZZZZZZZZZZZZ";
/** Finds the requirement's events and writes a budget beside them, changes one, and deletes one. */
const FORGE = `
cd requirements/events/*/ && req=$(basename "$PWD")
echo '{"v":1,"id":"${ID}","req":"'$req'","type":"budget","run":"x","actor":"lee","at":"2030-01-01T00:00:00Z","unit":"usd","amount":90000,"by":"lee"}' > ${ID}-budget.json
set -- *-state.json && sed -i 's/"actor":"[^"]*"/"actor":"lee"/' "$1" && rm "$2"
echo note > ../../../note.txt`;

it("an agent that writes events of its own raises no budget and changes no state", async () => {
  const scenarios = [
    ["requirement", "Your job: the requirement", [done(requirement)]],
    ["design", "Your job: the design", [done(design)]],
    [
      "task",
      "Your job: one task",
      [
        { call: [{ tool: "run", input: { command: FORGE, expect: { exit_code: 0 } } }] },
        done({ summary: "Done.", evidence: [] }),
      ],
    ],
    ["lesson", "Your job: what was learnt", [{ say: '{"lesson":null}' }]],
  ].map(([name, systemContains, turns]) => ({ name, when: { systemContains }, turns }));
  const model = await startScriptedModel({
    scenarios: parseScenarios(JSON.stringify(scenarios)),
    clock: { now: () => Date.now() },
  });
  const { root, git } = personalRepository(join(folder, "shop"));
  const { err, status, json } = await accrue(
    ["run", "--json", "--model-url", model.url, "--", "write a note"],
    {
      cwd: root,
    },
  );
  await model.close();
  expect(status).toBe(0);
  expect(err).toContain(`${ID}-budget.json: left out`);

  const branch = String(json()["branch"]);
  expect(git("show", `${branch}:note.txt`)).toBe("note");
  const events = git("ls-tree", "-r", "--name-only", branch, "requirements/events").split("\n");
  expect(events.filter((path) => path.endsWith("-budget.json"))).toEqual([]);
  const states = events
    .filter((path) => path.endsWith("-state.json"))
    .map(
      (path) =>
        JSON.parse(git("show", `${branch}:${path}`)) as { from: string | null; to: string; actor: string },
    );
  expect(states.map(({ from }) => from)).toEqual([null, ...states.slice(0, -1).map(({ to }) => to)]);
  expect(states.map(({ actor }) => actor)).not.toContain("lee");
});
