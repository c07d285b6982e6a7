import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ScriptedModel, parseScenarios, startScriptedModel } from "../../src/forge/index.js";
import {
  type PersonalRepository,
  accrue,
  personalRepository,
  temporaryFolder,
} from "../support/command-line.js";

const answering = (name: string, words: string, answer: string, citations: object[]) => ({
  name,
  when: { systemContains: "Your job: one question", taskMatches: `<comment>\\n.*${words}` },
  turns: [{ call: [{ tool: "complete_task", input: { answer, citations } }] }],
});
const SCENARIOS = [
  answering("ask-made", "what is it called", "It is called \u001b[31mroster.", [
    { source: "package.json:1", shows: "its name" },
    { source: "{{task.match:^- ([0-9a-f]{7}) }}", shows: "since when" },
    { source: "src/gone.js:1", shows: "nothing" },
    { source: "#12", shows: "no page here" },
  ]),
  answering("ask-zh", "叫什么", "叫 roster。", []),
];
const folder = temporaryFolder();
let model: ScriptedModel;
let repository: PersonalRepository;
beforeAll(async () => {
  model = await startScriptedModel({
    scenarios: parseScenarios(JSON.stringify(SCENARIOS)),
    clock: { now: () => Date.now() },
  });
  repository = personalRepository(join(folder, "roster"));
});
afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});
const ask = (...args: string[]) =>
  accrue(["ask", "--model-url", model.url, ...args], { cwd: repository.root });

describe("accrue ask", () => {
  it("prints the answer with what it rests on and what it cost, and changes nothing", async () => {
    const before = [
      repository.git("status", "--porcelain"),
      repository.branches(),
      repository.git("rev-parse", "HEAD"),
    ];
    const { out, err, status } = await ask("--", "what is it called in package.json?");
    expect(err).toBe("  reading main\n");
    expect(out).toMatch(
      /^It is called \[31mroster\.\n\n {2}package\.json:1 {2}its name\n {2}[0-9a-f]{7} {2}since when\n\n2 citations led nowhere and were left out\.\n\n<?\$0\.\d\d, 1 model call\n$/,
    );
    expect(status).toBe(0);
    expect([
      repository.git("status", "--porcelain"),
      repository.branches(),
      repository.git("rev-parse", "HEAD"),
    ]).toEqual(before);
  });

  it("gives one JSON document with keys that stay", async () => {
    const { json, status } = await ask("--json", "叫什么？");
    expect(json()).toEqual({
      answer: "叫 roster。",
      citations: [],
      dropped: 0,
      reason: "",
      commit: repository.git("rev-parse", "HEAD"),
      run: expect.stringMatching(/^[0-9A-Z]{26}$/),
      calls: 1,
      usd: expect.any(Number),
    });
    expect(status).toBe(0);
  });

  it("says in the question's language what it lacks, and asks nothing without a question or a key", async () => {
    expect((await ask("叫什么？")).out).toContain("没有给出可以核对的依据");
    expect((await ask(" ")).status).toBe(2);
    const { status, err } = await accrue(["ask", "what?"], { cwd: repository.root });
    expect([status, err]).toEqual([2, expect.stringContaining("set ANTHROPIC_API_KEY")]);
  });

  it("pauses where the budget is used up, and says what to raise", async () => {
    const poor = personalRepository(join(folder, "poor"));
    poor.write(".github/agent.yml", "budget: { day: { usd: 0.000001 } }\n");
    poor.commit("Spend nothing");
    const asked = () => accrue(["ask", "--model-url", model.url, "叫什么？"], { cwd: poor.root });
    await asked();
    const { status, out } = await asked();
    expect(out).toMatch(/未回答：本仓库 \d{4}-\d\d-\d\d（UTC）的预算已用完/);
    expect(status).toBe(3);
  });
});
