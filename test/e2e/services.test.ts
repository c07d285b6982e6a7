import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CheckRun, type Place, asked, newPlace, placeOf, startTinyStack } from "../support/place.js";
import { type Pull, type Stack } from "../support/stack.js";

const call = (tool: string, input: object) => ({ tool, input });
const proves = (path: string, test: string) => [{ criterion: "AC-1", path, test }];
const done = (summary: string, evidence: object[] = []) => ({
  call: [call("complete_task", { summary, evidence })],
});
const write = (path: string, content: string) => ({ call: [call("write_file", { path, content })] });
const step = (id: string, title: string, more: object = {}) => ({
  id,
  title,
  kind: "feature",
  criteria: ["AC-1"],
  files: [],
  after: [],
  ...more,
});
const design = (tasks: object[]) => ({
  call: [
    call("complete_task", {
      summary: "As planned.",
      archaeology: [],
      decisions: [],
      files: [],
      risks: [],
      tests: [],
      tasks,
    }),
  ],
});
const plan = (name: string, ...turns: object[]) => ({
  name: `design-${name.replaceAll(" ", "-")}`,
  when: { systemContains: "Your job: the design", taskContains: name },
  turns,
});
const work = (name: string, of: string, words: string[], turns: object[]) => ({
  name: `${name.replaceAll(" ", "-")}-${of}`,
  when: { systemContains: "Your job: one task", taskContains: [...words, name] },
  turns,
});
const test = (title: string, body: string) =>
  `import assert from "node:assert";\nimport test from "node:test";\nimport { balance } from "../src/balance.js";\ntest("${title}", () => ${body});\n`;

const SCENARIOS = [
  plan(
    "show the balance",
    design([step("T1", "Give the balance", { service: "walet" })]),
    design([
      step("T1", "Give the balance", { service: "wallet", files: ["src/balance.js"] }),
      step("T2", "Show the balance", { after: ["T1"], files: ["src/page.js"] }),
    ]),
  ),
  work(
    "show the balance",
    "wallet",
    ["Do task T1 of", "`acme/wallet`"],
    [
      write("src/balance.js", "export const balance = () => 1;\n"),
      write("test/balance.test.js", test("gives the balance", "assert.equal(balance(), 2)")),
      done("The balance is there.", proves("test/balance.test.js", "gives the balance")),
    ],
  ),
  work(
    "show the balance",
    "fix",
    ["fail after the change", "in `acme/wallet`"],
    [
      { call: [call("read_file", { path: "src/balance.js" })] },
      write("src/balance.js", "export const balance = () => 2;\n"),
      done("It counts right."),
    ],
  ),
  work(
    "show the balance",
    "shop",
    ["Do task T2 of", "`acme/shop`"],
    [write("src/page.js", "export const page = true;\n"), done("The page shows it.")],
  ),
  plan("reach the vault", design([step("T1", "Open it", { service: "vault" })])),
  ...(JSON.parse(
    readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
  ) as object[]),
];

const CONFIG = `services:
  wallet: { repository: acme/wallet }
  vault: { repository: acme/vault }
  shop: { repository: acme/shop }
`;

let stack: Stack;
let shop: Place;
let wallet: Place;
beforeAll(async () => {
  stack = await startTinyStack({ scenarios: JSON.stringify(SCENARIOS) });
  shop = await newPlace(stack, { config: CONFIG, repository: { name: "shop" } });
  wallet = await newPlace(stack, { repository: { name: "wallet" } });
});
afterAll(async () => {
  await stack.close();
});

const only = async (place: Place): Promise<Pull> => {
  const pulls = await place.pulls("all");
  expect(pulls).toHaveLength(1);
  return pulls[0] as Pull;
};
const checksOf = async (place: Place, sha: string) => {
  const path = `/commits/${sha}/check-runs?filter=all`;
  return ((await place.as("maya", "GET", path)) as { check_runs: CheckRun[] }).check_runs;
};

describe("a requirement that touches two repositories", () => {
  it("is done in both, validated in both, and published as two linked pull requests with one bill", async () => {
    const issue = await shop.openIssue("show the balance");
    const status = await shop.ended(issue, "Ready for review");
    const [own, other] = [await only(shop), await only(wallet)];
    expect(own.head.ref).toBe(`agent/REQ-${issue}-show-the-balance`);
    expect(other.head.ref).toBe(`agent/acme_shop_REQ-${issue}-show-the-balance`);
    expect(other.title).toBe(own.title);
    expect([own.draft, other.draft]).toEqual([true, true]);
    expect(own.body).toContain(`Closes #${issue}`);
    expect(own.body).toContain(`Belongs together with acme/wallet#${other.number}`);
    expect(other.body).toContain(`Part of acme/shop#${issue}. Belongs together with acme/shop#${own.number}`);
    expect(other.body).not.toContain("Closes");
    expect(await wallet.read("src/balance.js", other.head.ref)).toContain("=> 2");
    expect(await shop.files("src", own.head.ref)).toEqual(expect.arrayContaining(["page.js"]));
    expect(await shop.files("src", own.head.ref)).not.toContain("balance.js");
    expect(await wallet.files("", other.head.ref)).not.toContain("requirements");
    expect(status).toContain(`acme/wallet#${other.number}`);
    for (const [place, pull] of [
      [shop, own],
      [wallet, other],
    ] as const) {
      const checks = await checksOf(place, pull.head.sha);
      expect(checks.map(({ conclusion }) => conclusion)).toEqual(["success"]);
    }
    expect(own.body).toContain(`wallet test/balance.test.js:4`);
    expect(own.body).toContain(`/acme/wallet/blob/${other.head.sha}/test/balance.test.js#L4`);
    const bills = async (place: Place, number: number) =>
      (await place.comments(number)).filter(({ body }) => body.includes("accrue:bill")).length;
    expect([
      await bills(shop, issue),
      await bills(shop, own.number),
      await bills(wallet, other.number),
    ]).toEqual([1, 1, 0]);
    const requests = asked(stack, `REQ-${issue}`);
    expect(requests.filter((name) => name.startsWith("design-show"))).toHaveLength(2);
    expect(requests.filter((name) => name.includes("-fix"))).toHaveLength(3);
  });

  it("waits where the app is not installed, before anything is done, and goes on once it is", async () => {
    const issue = await shop.openIssue("reach the vault");
    const status = await shop.ended(issue, "vault: ", "⏸");
    expect(status).toContain("install it there");
    expect(asked(stack, `REQ-${issue}`).filter((name) => name.startsWith("task"))).toEqual([]);
    const vault = await newPlace(stack, { repository: { name: "vault" } });
    await shop.say(issue, "@agent retry");
    await shop.ended(issue, "Ready for review");
    expect((await vault.pulls()).map(({ head }) => head.ref)).toEqual([
      `agent/acme_shop_REQ-${issue}-reach-the-vault`,
    ]);
  });
});

describe("somebody who may not write to a service's repository", () => {
  it("cannot have it changed from another one", async () => {
    const place = await newPlace(stack, {
      config: "services:\n  vault: { repository: acme/strongroom }\n",
    });
    await newPlace(stack, { repository: { name: "strongroom", collaborators: { maya: "read" } } });
    const issue = await place.openIssue("reach the vault");
    await place.ended(issue, "may not have acme/strongroom changed", "⏸");
    expect(await placeOf(stack, "acme/strongroom").pulls("all")).toEqual([]);
  });
});
