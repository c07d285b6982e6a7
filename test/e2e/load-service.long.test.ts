import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ANALYST, GOODS } from "../fixtures/goods-service.js";
import { type Place, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, readFolder, until } from "../support/stack.js";
import { gitIn } from "../support/story-audit.js";

const TINY = readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8");
const FILE = "context/tech/services/goods-service.md";

let stack: Stack;
let place: Place;
let issue: number;
beforeAll(async () => {
  const scenarios = JSON.stringify([ANALYST, ...(JSON.parse(TINY) as unknown[])]);
  stack = await startTinyStack({ scenarios });
  const { addRepository } = stack.forge.control;
  const collaborators = { maya: "write", otto: "read" } as const;
  await addRepository({
    owner: "acme",
    name: "goods-service",
    files: { ...GOODS },
    private: true,
    collaborators,
  });
  await addRepository({ owner: "acme", name: "payroll", files: { "README.md": "x" }, private: true });
  await addRepository({ owner: "umbrella", name: "wallet", files: { "README.md": "x" }, collaborators });
  place = await newPlace(stack, {
    repository: { name: "shop" },
    files: { ...readFolder("test/fixtures/tiny/"), "services/cart/package.json": '{ "name": "cart" }\n' },
    config: "services:\n  cart: { repository: acme/shop, paths: [services/cart/**] }\n",
  });
  issue = await place.openIssue("say what our services are", null, null);
});
afterAll(async () => {
  await stack.close();
});

const lastReply = async () => (await place.replies(issue)).at(-1) ?? "";
const knowledgePulls = async () =>
  (await place.pulls("all")).filter(({ head }) => head.ref.startsWith("agent/knowledge"));
/** Says it, and waits for the answer that comes when the work is done. */
const load = async (words: string) => {
  const before = (await place.replies(issue)).length;
  await place.say(issue, words);
  return until("the answer", async () => {
    const replies = await place.replies(issue);
    return replies.length > before ? (replies.at(-1) ?? "") : null;
  });
};

describe("load-service in a comment", () => {
  it("offers document and rules of a service in the one pull request for knowledge, and says what it could not read and why", async () => {
    const reply = await load(
      "@agent load-service acme/goods-service cart umbrella/wallet acme/payroll acme/nothing x",
    );
    const [pull] = await knowledgePulls();
    expect(reply).toContain(`✅ Written in #${pull?.number}.`);
    expect(reply).toMatch(
      /- \[goods-service\]\(.+\/blob\/agent\/knowledge\/context\/tech\/services\/goods-service\.md\): \d+ pointers; rules R-\w{6}, R-\w{6}; /,
    );
    expect(reply).toContain("src/gone.js:1");
    // Who may not read it is not told either whether it is there.
    for (const name of ["umbrella/wallet", "acme/payroll", "acme/nothing"])
      expect(reply).toContain(
        `❌ \`${name}\` was not read: There is no ${name} that both the app and \`@maya\` may read: check the name, and where the app is installed.`,
      );
    expect(reply).toMatch(/❌ `x` was not read: "x" is no repository here: write owner\/name/);
    const document = await place.read(FILE, "agent/knowledge");
    expect(document).toContain('repo: "acme/goods-service"');
    expect(document).toContain("- Hands out goods that users won. · `src/issue.js#issue`");
    expect(await place.files("context/deposits", "agent/knowledge")).toHaveLength(2);
    expect(gitIn(stack, place, "ls-tree", "--name-only", "main")).not.toContain("context");
    const spent = stack.model.requests().filter(({ matched }) => matched?.startsWith("analyst"));
    expect(spent).toHaveLength(4);
    expect(reply).toMatch(/- \[cart\]\(.+\): 0 pointers; .+; facts only, no model said what it is for/);
    expect(await place.read("context/tech/services/cart.md", "agent/knowledge")).toContain(
      'repo: "acme/shop"',
    );
  });

  it("asks which services are meant where none is named", async () => {
    await place.say(issue, "@agent load-service");
    expect(await lastReply()).toContain("Nothing was read: name the services");
  });

  it("says that nothing is new the second time, in Chinese too, and asks no model", async () => {
    const asked = stack.model.requests().length;
    expect(await load("@agent 加载服务 acme/goods-service")).toContain("Nothing is new");
    expect(stack.model.requests()).toHaveLength(asked);
    expect(await knowledgePulls()).toHaveLength(1);
  });

  it("is filed after the merge, and comes up in the next requirement that names the service", async () => {
    const [pull] = await knowledgePulls();
    await place.merge(pull?.number ?? 0);
    await until("the fold", async () => (await place.files("context")).includes("rules"));
    expect(await place.read("context/INDEX.md")).toContain(
      "- goods-service · `tech/services/goods-service.md`\n  - Hands out goods that users won.",
    );
    expect(await place.files("context")).not.toContain("deposits");
    expect(await place.read("context/rules/service-rules.md")).toContain("- suggest: goods-service");
    const next = await place.openIssue("给 goods-service 加导出", "商品服务要能导出。");
    await place.ended(next, "");
    const shown = JSON.stringify(
      stack.model
        .requests()
        .find(({ matched, body }) => matched === "design#1" && JSON.stringify(body).includes(`REQ-${next}`))
        ?.body,
    );
    expect(shown).toContain("service: goods-service");
    expect(shown).toContain("Hands out goods that users won.");
    expect(shown).not.toContain("generated:start");
  });
});
