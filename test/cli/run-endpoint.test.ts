import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseScenarios, startScriptedModel } from "../../src/forge/index.js";
import {
  accrue,
  personalRepository,
  type PersonalRepository,
  temporaryFolder,
} from "../support/command-line.js";
import { readFolder } from "../support/stack.js";

const WISH = "/team:check src/greet.js";
const folder = temporaryFolder();
/** Dollars per million tokens, which is thousands of nano-dollars per token. */
const PRICES = { input: 3, output: 15, cacheRead: 0.3 };
const requirement = {
  name: "wish",
  when: { systemContains: "Your job: the requirement", taskContains: WISH },
  turns: [
    {
      call: [
        {
          tool: "complete_task",
          input: {
            title: "look after a file",
            problem: "Nobody did.",
            scope: ["One new file"],
            criteria: [{ id: "AC-1", text: "WHEN it is looked at THEN it is fine" }],
            nonGoals: [],
            questions: [],
          },
        },
      ],
    },
  ],
};
let model: Awaited<ReturnType<typeof startScriptedModel>>;
beforeAll(async () => {
  const tiny = readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8");
  const scenarios = JSON.stringify([requirement, ...(JSON.parse(tiny) as unknown[])]);
  model = await startScriptedModel({
    scenarios: parseScenarios(scenarios),
    clock: { now: () => Date.now() },
  });
});
afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A repository whose models are all at one OpenAI-compatible endpoint, and which may cost next to nothing. */
function repositoryAt(name: string): PersonalRepository {
  const repository = personalRepository(join(folder, name), { files: false });
  const files = { ...readFolder("test/fixtures/tiny/"), ...readFolder("test/fixtures/extended/") };
  for (const [path, text] of Object.entries(files)) repository.write(path, text);
  const price = `{ input: ${PRICES.input}, output: ${PRICES.output}, cache_read: ${PRICES.cacheRead}, context: 128000, max_output: 8192 }`;
  repository.write(
    ".github/agent.yml",
    `model:
  planner: local/big
  executor: local/big
  validator: local/big
  providers: { local: { url: "${model.url}/v1" } }
  prices: { local/big: ${price} }
budget: { requirement: { usd: 0.000001 } }
`,
  );
  repository.commit("A tiny project");
  return repository;
}

describe("accrue run at an OpenAI-compatible endpoint", { timeout: 120_000 }, () => {
  it("takes a command and a budget, and bills what the endpoint charged, over both runs", async () => {
    const repository = repositoryAt("local");
    const options = { cwd: repository.root, env: { ACCRUE_LOCAL_KEY: "secret" } };
    const poor = await accrue(["run", "--json", "--", WISH], options);
    expect(poor.err).toContain("The budget of REQ-");
    expect(poor.status).toBe(3);
    const id = String(poor.json()["requirement"]);
    expect(poor.err).toContain(`accrue run --budget '$1' ${id}`);

    const done = await accrue(["run", "--json", "--budget", "$5", id], options);
    expect(done.err).toContain("✓ Ready for review");
    expect(done.status).toBe(0);
    expect(done.json()).toMatchObject({ requirement: id, outcome: "passed", tasks: [{ done: true }] });
    const branch = String(done.json()["branch"]);
    expect(repository.git("diff", "--name-only", `main...${branch}`)).toContain(`src/${id}-T1.js`);

    const requests = model.requests();
    const prompt = JSON.stringify(requests.find(({ matched }) => matched === "wish#1")?.body);
    expect(prompt).toContain("Look after src/greet.js by our rules:");
    expect(prompt).toContain("Greetings are short.");

    const billed = requests.flatMap((request) => request.billed ?? []);
    expect(billed).toHaveLength(requests.length);
    const sum = (count: (usage: (typeof billed)[number]) => number) =>
      billed.reduce((total, usage) => total + count(usage), 0);
    const bill = done.json()["bill"] as { totals: Record<string, number> };
    const nanoUsd = sum(
      ({ input, cacheRead, cacheWrite, output }) =>
        (input + cacheWrite) * PRICES.input * 1000 +
        cacheRead * PRICES.cacheRead * 1000 +
        output * PRICES.output * 1000,
    );
    expect(bill.totals).toMatchObject({
      calls: billed.length,
      costNanoUsd: nanoUsd,
      // This API has no class of tokens written to a cache.
      input: sum(({ input, cacheWrite }) => input + cacheWrite),
      cacheRead: sum(({ cacheRead }) => cacheRead),
      output: sum(({ output }) => output),
    });
  });

  it("asks for no key of Anthropic's, and names the endpoint's own where that wants one", async () => {
    const { status, err } = await accrue(["run", "--", WISH], { cwd: repositoryAt("keyless").root });
    expect(err).toContain("local/big answered 401: invalid x-api-key. Check ACCRUE_LOCAL_KEY.");
    expect(status).toBe(1);
  });

  it("begins nothing with a budget that is none", async () => {
    const repository = repositoryAt("none");
    const asked = model.requests().length;
    for (const budget of ["5 apples", " "]) {
      const { status, err } = await accrue(["run", "--budget", budget, "--", WISH], { cwd: repository.root });
      expect([status, err]).toEqual([2, expect.stringMatching(/\$5/)]);
    }
    expect(repository.branches()).toEqual(["main"]);
    expect(model.requests()).toHaveLength(asked);
  });
});
