import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, plan, says, step } from "../support/handed-over.js";
import { type CheckRun, type Place, asked, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, readFolder } from "../support/stack.js";
import { gitIn } from "../support/story-audit.js";

const work = (id: string, of: string, files: string[]) => ({
  name: `${of} ${id}`.toLowerCase().replaceAll(" ", "-"),
  when: { systemContains: "Your job: one task", taskContains: [`Do task ${id} of`, of] },
  turns: [
    { call: [call("read_file", { path: "package.json" })] },
    { call: files.map((path) => call("write_file", { path, content: "export const done = true;\n" })) },
    { call: [call("complete_task", { summary: "It is there.", evidence: [] })] },
  ],
});
const SCENARIOS = [
  says(
    ["parts-design", "the design", "Change both parts"],
    plan([
      { ...step("T1", "The goods", ["AC-1"], ["goods/one.js"]), service: "goods" },
      { ...step("T2", "The cart", ["AC-1"], ["cart/one.js"]), service: "cart" },
    ]),
  ),
  work("T1", "Change both parts", ["goods/one.js"]),
  work("T2", "Change both parts", ["cart/one.js"]),
  says(
    ["beyond-design", "the design", "Reach beyond"],
    plan([{ ...step("T1", "The goods", ["AC-1"], ["goods/one.js"]), service: "goods" }]),
  ),
  work("T1", "Reach beyond", ["goods/two.js", "secret/two.js", "package.json"]),
  says(
    ["own-design", "the design", "Change the own part"],
    plan([{ ...step("T1", "The cart", ["AC-1"], ["cart/one.js"]), service: "cart" }]),
  ),
  ...(JSON.parse(
    readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
  ) as object[]),
];
const TINY = readFolder("test/fixtures/tiny/");
const CONFIG = `agent: { reviewers: [] }
services:
  goods: { repository: acme/mono, paths: ["goods/**"] }
  cart: { repository: acme/mono, paths: ["cart/**"] }
`;

let stack: Stack;
let mono: Place;
let shop: Place;
beforeAll(async () => {
  stack = await startTinyStack({ scenarios: JSON.stringify(SCENARIOS) });
  mono = await newPlace(stack, { repository: { name: "mono" } });
  shop = await newPlace(stack, { config: CONFIG });
});
afterAll(async () => {
  await stack.close();
});

describe("services that are parts of one repository", () => {
  it("are changed together, on one branch with one pull request", async () => {
    const issue = await shop.openIssue("Change both parts");
    const status = await shop.ended(issue, "Ready for review");
    expect(status.match(/acme\/mono#1 · branch/g)).toHaveLength(1);
    const pulls = await mono.pulls("all");
    expect(pulls).toHaveLength(1);
    const changed = gitIn(stack, mono, "diff", "--name-only", `main...${pulls[0]?.head.ref ?? ""}`);
    expect(changed).toBe("cart/one.js\ngoods/one.js\n");
    const path = `/commits/${pulls[0]?.head.sha ?? ""}/check-runs?filter=all`;
    const { check_runs: checks } = (await mono.as("maya", "GET", path)) as { check_runs: CheckRun[] };
    expect(checks.map(({ conclusion }) => conclusion)).toEqual(["success"]);
  });

  it("keep what an agent wrote outside of the part out, which is said", async () => {
    const issue = await shop.openIssue("Reach beyond");
    const status = await shop.ended(issue);
    expect(status).toContain("secret/two.js");
    const pull = (await mono.pulls("all")).find(({ head }) => head.ref.includes(`REQ-${issue}-`));
    const changed = gitIn(stack, mono, "diff", "--name-only", `main...${pull?.head.ref ?? ""}`);
    expect(changed).toBe("goods/two.js\n");
  });
});

describe("a service that is a part of the requirement's own repository", () => {
  it("is held up by a rule for its files, as all others are", async () => {
    const rule =
      "## R-7K3M2P Carts are frozen\n\n- level: block\n- status: active\n- paths: `cart/**`\n- alert: Carts are frozen\n";
    const place = await newPlace(stack, {
      files: { ...TINY, "context/rules/risk-rules.md": rule },
      config: "services:\n  cart: { repository: acme/frozen, paths: [cart/**] }\n",
      repository: { name: "frozen" },
    });
    const issue = await place.openIssue("Change the own part");
    expect(await place.ended(issue)).toContain("Carts are frozen");
    expect(asked(stack, `REQ-${issue}`).filter((name) => name.startsWith("task"))).toEqual([]);
  });
});
