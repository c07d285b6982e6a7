import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, newPlace, placeOf, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";

const WALLET = "virtual goods go to the virtual wallet, never write to `services/goods/**` without a check";

let stack: Stack;
let place: Place;
let issue: number;
beforeAll(async () => {
  stack = await startTinyStack();
  place = await newPlace(stack);
  issue = await place.openIssue("add a wallet for virtual goods", null, null);
});
afterAll(async () => {
  await stack.close();
});

const lastReply = async (number: number) => (await place.replies(number)).at(-1) ?? "";
const knowledgePulls = async () =>
  (await place.pulls("all")).filter(({ head }) => head.ref.startsWith("agent/knowledge"));
const deposits = (ref: string) => place.files("context/deposits", ref);

describe("remember on an issue", () => {
  it("puts a deposit into one standing pull request and says note, rule, place and undo", async () => {
    expect(await place.say(issue, `@agent remember ${WALLET}`)).toBe("answered remember");
    const [pull] = await knowledgePulls();
    const reply = await lastReply(issue);
    expect(reply).toMatch(
      /✅ Recorded \[EXP-\w{8}\]\(.+\/blob\/agent\/knowledge\/context\/deposits\/\w+\.md\) in #\d+, with one rule/,
    );
    expect(reply).toContain(`in #${pull?.number}`);
    expect(reply).toContain("> **risk · high** — ");
    expect(reply).toMatch(/Undo: `@agent forget EXP-\w{8}`/);
    expect(await deposits("agent/knowledge")).toHaveLength(1);
  });

  it("counts at once for the next requirement, as pending", async () => {
    await place.as("maya", "POST", `/issues/${issue}/labels`, { labels: ["agent"] });
    const status = await place.ended(issue, "Ready for review");
    expect(status).toContain("**From earlier work** — ⚠");
    expect(status).toMatch(
      /\[R-\w{6}\]\(.+\/blob\/agent\/knowledge\/context\/deposits\/\w+\.md\) virtual goods go to the virtual wallet.+ \*\(pending\)\*/,
    );
    const shown = stack.model.requests().find(({ matched }) => matched === "design#1");
    expect(JSON.stringify(shown?.body)).toContain("virtual wallet");
  });

  it("goes to the same pull request the second time, also in Chinese", async () => {
    const chinese = await place.openIssue("给钱包加一个文件", "谢谢", null);
    await place.say(chinese, "@agent 记住 虚拟商品必须发到虚拟钱包，禁止直接写库");
    expect(await lastReply(chinese)).toMatch(/✅ 已记录 \[EXP-\w{8}\]/);
    expect(await lastReply(chinese)).toContain("撤销：");
    expect(await knowledgePulls()).toHaveLength(1);
    expect(await deposits("agent/knowledge")).toHaveLength(2);
  });

  it("without a text, and with nothing above that a person said, asks what is meant", async () => {
    await place.say(issue, "@agent remember this");
    expect(await lastReply(issue)).toContain("⚠ Nothing was recorded: nothing above fits.");
  });

  it("is filed by the fold after the merge, and a later one opens a new pull request", async () => {
    const [first] = await knowledgePulls();
    await place.merge(first?.number ?? 0);
    await until("the fold", async () => (await place.files("context")).includes("experience"));
    expect(await place.files("context/experience")).toHaveLength(2);
    expect(await place.files("context")).not.toContain("deposits");
    await place.say(issue, "@agent remember receipts are numbered by `services/receipts/number.js`");
    const [second] = (await knowledgePulls()).filter(({ state }) => state === "open");
    expect(second?.number).not.toBe(first?.number);
    expect(await lastReply(issue)).toContain(`in #${second?.number}`);
    expect(await deposits(second?.head.ref ?? "")).toHaveLength(1);
  });
});

describe("remember on a pull request of the bot", () => {
  it("puts the deposit on its branch", async () => {
    const pull = await place.pullOf(issue);
    await place.say(pull.number, "@agent remember wallets are named after their owner");
    expect(await lastReply(pull.number)).toContain(`in #${pull.number}`);
    expect(await deposits(pull.head.ref)).toHaveLength(1);
  });
});

describe("remember in a repository without commits", () => {
  it("BR-11: says that a first commit is needed", async () => {
    const empty = await newPlace(stack, { files: null });
    const number = await empty.openIssue("anything", null, null);
    await empty.say(number, "@agent remember that we begin here");
    expect((await placeOf(stack, empty.repository).replies(number)).at(-1)).toMatch(
      /❌ Nothing was recorded: .+make a first commit/,
    );
  });
});
