import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseDeposit } from "../../src/knowledge/index.js";
import { type Place, newPlace, outcomeOf, startTinyStack } from "../support/place.js";
import type { Stack } from "../support/stack.js";

const lesson = {
  kind: "experience",
  title: "Claims of goods need a key",
  problem: "A claim that was sent twice gave out the goods twice.",
  triggers: { keywords: ["claim"], paths: ["services/goods/**"], symbols: [], labels: [] },
  solution: "Send an idempotency key with every claim.",
  verification: "npm test",
  rules: [
    {
      kind: "risk",
      title: "Key of a claim",
      level: "high",
      keywords: ["claim"],
      paths: ["services/goods/**"],
      alert: "Send a key with the claim",
    },
    { kind: "service", title: "Owner", keywords: ["claim"], suggest: ["wallet-service"] },
  ],
};
const FAILING =
  'import test from "node:test";\nimport assert from "node:assert";\nimport { two } from "../src/two.js";\ntest("two is 2", () => assert.equal(two, 2));\n';
const call = (tool: string, input: object) => ({ tool, input });
const done = { call: [call("complete_task", { summary: "Two was one: corrected.", evidence: [] })] };
const SCENARIOS = [
  {
    name: "remark",
    when: { systemContains: "Your job: what a person taught", taskContains: "as we agreed" },
    turns: [
      {
        say: JSON.stringify({
          lessons: [lesson, { kind: "tech", title: "Cache", solution: "The cache is Valkey 8." }],
        }),
      },
    ],
  },
  {
    name: "break",
    when: { systemContains: "Your job: one task", taskContains: ["Do task ", "two of them"] },
    turns: [
      {
        call: [
          call("write_file", { path: "src/two.js", content: "export const two = 1;\n" }),
          call("write_file", { path: "test/two.test.js", content: FAILING }),
        ],
      },
      done,
    ],
  },
  {
    name: "repair",
    when: { systemContains: "Your job: one task", taskContains: "Make them pass by fixing" },
    turns: [
      { call: [call("read_file", { path: "src/two.js" })] },
      { call: [call("write_file", { path: "src/two.js", content: "export const two = 2;\n" })] },
      done,
    ],
  },
  ...(JSON.parse(
    readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
  ) as object[]),
];

let stack: Stack;
let place: Place;
beforeAll(async () => {
  stack = await startTinyStack({ scenarios: JSON.stringify(SCENARIOS) });
  place = await newPlace(stack);
});
afterAll(async () => {
  await stack.close();
});

const lastReply = async (number: number) => (await place.replies(number)).at(-1) ?? "";
const say = async (number: number, body: string) => {
  await place.say(number, body);
  return lastReply(number);
};
const note = async (number: number, body: string, person: "maya" | "otto") =>
  (await place.as(person, "POST", `/issues/${number}/comments`, { body })) as { id: number };
/** The deposit of an answer, as it lies on its branch. */
async function deposited(reply: string) {
  const [, branch = "", path = ""] = /\/blob\/(.+?)\/(context\/deposits\/\w+\.md)\)/.exec(reply) ?? [];
  return parseDeposit(path, await place.read(path, branch)).deposit;
}
const modelWas = (words: string) =>
  stack.model.requests().filter(({ body }) => JSON.stringify(body).includes(words));

describe("a bare remember", () => {
  it("means the quoted comment, and what a stranger wrote waits for a person", async () => {
    const issue = await place.openIssue("number the receipts", null, null);
    await note(issue, "Receipts must be numbered by `src/receipts/number.js`.\n\nAlso hello.", "otto");
    await note(issue, "Something else entirely, from me.", "maya");
    const reply = await say(
      issue,
      "> Receipts must be numbered by `src/receipts/number.js`.\n\nGood point. @agent remember this",
    );
    expect(reply).toMatch(/⏸ Recorded \[EXP-.+ in #\d+, with one rule\. It does not count yet\./);
    expect(reply).toMatch(/Understood as \[what `@otto` said\]\(.+#issuecomment-\d+\):\n> Receipts must be/);
    expect(reply).toContain(
      "⏸ It waits until a person has looked at it: it is by `@otto`, who may not write",
    );
    expect(await deposited(reply)).toMatchObject({
      by: "otto",
      note: { trust: "untrusted", status: "draft", solution: expect.stringMatching(/^Receipts must be/) },
      rules: [{ status: "draft" }],
    });
  });

  it("means the nearest comment of a person, in Chinese too", async () => {
    const issue = await place.openIssue("给钱包加一个文件", "谢谢", null);
    await note(issue, "虚拟商品必须发到虚拟钱包，见 `src/wallet.js`", "maya");
    await note(issue, "@agent bill", "maya");
    const reply = await say(issue, "@agent 记住这个坑");
    expect(reply).toMatch(/✅ 已记录 \[EXP-.+，规则 1 条；立即生效（待合并）。/);
    expect(reply).toMatch(/理解为 \[`@maya` 的评论\]\(.+\)：\n> 虚拟商品必须发到虚拟钱包/);
    expect(reply).toMatch(/撤销：`@agent forget EXP-\w{8}`/);
  });
});

describe("on a pull request of the bot", () => {
  let issue: number;
  let pull: Awaited<ReturnType<Place["pullOf"]>>;
  beforeAll(async () => {
    issue = await place.openIssue("add two of them");
    await place.ended(issue, "Ready for review");
    pull = await place.pullOf(issue);
  }, 120_000);

  it("a bare remember means the last failure and its fix, which the run has written down already", async () => {
    const reply = await say(pull.number, "@agent remember this");
    expect(reply).toMatch(
      /Understood as the last failure and its fix on this pull request:\n> `npm test.*` failed \(.*two is 2.*\)\. Fixed by: Two was one: corrected\. \(`src\/two\.js`\)/,
    );
    const [, id = ""] =
      /Not recorded: Fixed: two is …: … == … — (EXP-\w{8}) says it already\./.exec(reply) ?? [];
    const names = await place.files("context/deposits", pull.head.ref);
    const paths = names.map((name) => `context/deposits/${name}`);
    const texts = await Promise.all(paths.map((path) => place.read(path, pull.head.ref)));
    const events = texts.map((text, at) => parseDeposit(paths[at] ?? "", text).deposit);
    const event = events.find((one) => one?.note.id === id);
    expect(event).toMatchObject({ origin: "bug", note: { type: "event" } });
    expect(event?.note.solution).toMatch(/Two was one: corrected/);
  });

  it("in a review thread it means the comment above, at its line and definition", async () => {
    const at = { commit_id: pull.head.sha, path: "test/two.test.js", line: 4, side: "RIGHT" };
    const body = "Always name tests after what they show.";
    const first = (await place.as("maya", "POST", `/pulls/${pull.number}/comments`, { ...at, body })) as {
      id: number;
    };
    const answer = (await place.as("maya", "POST", `/pulls/${pull.number}/comments/${first.id}/replies`, {
      body: "@agent remember this",
    })) as { id: number };
    await outcomeOf(
      stack,
      ({ event, payload }) =>
        event === "pull_request_review_comment" &&
        (payload as { comment?: { id: number } }).comment?.id === answer.id,
    );
    const reply = await lastReply(pull.number);
    expect(reply).toContain("Understood as [what `@maya` said]");
    expect(await deposited(reply)).toMatchObject({
      source: expect.stringContaining("#discussion_r"),
      note: { triggers: { paths: ["test/two.test.js"] }, solution: body },
    });
  });

  it("a line for AGENTS.md goes to its branch, once", async () => {
    const ask = "@agent add this to AGENTS.md";
    const reply = await say(pull.number, `Run npm test before you finish. ${ask}`);
    expect(reply).toMatch(/✅ Added to \[AGENTS\.md\]\(.+\) in #\d+\. It counts once that is merged\./);
    expect(await place.read("AGENTS.md", pull.head.ref)).toBe("- Run npm test before you finish.\n");
    const again = await say(pull.number, `run npm test before you finish! ${ask}`);
    expect(again).toContain("says it already.");
    expect(await place.read("AGENTS.md", pull.head.ref)).toBe("- Run npm test before you finish.\n");
  });

  it("forget takes back what waits, and says where and how to undo it", async () => {
    const made = await say(pull.number, "@agent remember dates are in UTC, see `src/dates.js`");
    const id = /EXP-\w{8}/.exec(made)?.[0] ?? "";
    // From the issue too: the branch that holds it is found.
    const reply = await say(issue, `@agent forget ${id.toLowerCase()}`);
    expect(reply).toContain(`✅ Retired \`${id}\``);
    expect(reply).toContain(`in #${pull.number}.`);
    expect(reply).toMatch(/Undo: revert \[`\w{7}`\]\(.+\/commit\/\w{40}\)\./);
    const left = await place.files("context/deposits", pull.head.ref);
    expect(left).not.toContain(/deposits\/(\w+\.md)/.exec(made)?.[1]);
    expect(await say(issue, `@agent forget ${id}`)).toContain(`⚠ Nothing here has the id \`${id}\`.`);
    expect(await say(issue, "@agent forget")).toContain("⚠ Nothing was forgotten: name the note or rule");
  });
});

describe("a secret", () => {
  it("is refused before a file exists and before a model sees it, and never repeated", async () => {
    const issue = await place.openIssue("log in", null, null);
    const secret = `ghp_${"a1B2c3D4".repeat(5)}`;
    const before = stack.model.requests().length;
    const reply = await say(issue, `@agent remember the deploy token is ${secret}`);
    expect(reply).toMatch(
      /❌ Nothing was recorded: \[the comment\]\(.+\) holds a secret \(GitHub token\)\. Edit it/,
    );
    expect(reply).not.toContain(secret);
    expect(stack.model.requests()).toHaveLength(before);
    expect(stack.log()).not.toContain(secret);
  });
});

describe("a depositor with a model", () => {
  it("writes several lessons with rules in one commit, on the bill of the thread", async () => {
    const issue = await place.openIssue("wallets", null, null);
    const reply = await say(
      issue,
      "@agent remember as we agreed: claims of goods need a key, and the cache is Valkey 8",
    );
    expect(reply).toMatch(/✅ Recorded 2 lessons in #\d+, with 2 rules\. They count at once/);
    expect(reply).toContain("> **service** — when the text says claim: wallet-service");
    expect(reply).toContain(
      "> **risk · high** — when `services/goods/**` changes or the text says claim: Send a key with the claim",
    );
    expect(reply).toContain("It becomes a section of `context/tech/facts.md`.");
    expect(reply).toMatch(/Undo: `@agent forget EXP-\w{8}` · `@agent forget EXP-\w{8}`/);
    expect(modelWas("as we agreed")).toHaveLength(1);
    expect(await say(issue, "@agent bill")).toMatch(/\| complete \| 1 \|/);
  });

  it("is not asked where the repository says rules", async () => {
    const quiet = await newPlace(stack, { config: "knowledge:\n  depositor: rules\n" });
    const issue = await quiet.openIssue("wallets", null, null);
    await quiet.say(issue, "@agent remember as we agreed in `src/quiet.js`: never log a token");
    expect((await quiet.replies(issue)).at(-1)).toMatch(/✅ Recorded \[EXP-/);
    expect(modelWas("src/quiet.js")).toEqual([]);
  });
});

describe("what is known", () => {
  it("is not recorded twice, and what contradicts is kept beside it (KN-43, KN-45b, ME-06)", async () => {
    const issue = await place.openIssue("the router", null, null);
    const first = await say(issue, "@agent remember the router of `src/net.js` has the address 192.168.7.1");
    const id = /EXP-\w{8}/.exec(first)?.[0] ?? "";
    const again = await say(issue, "@agent remember The router of `src/net.js` has the address 192.168.7.1!");
    expect(again).toContain("✅ Nothing new was recorded: it is known already.");
    expect(again).toContain(`${id} says it already`);
    const other = await say(issue, "@agent remember the router of `src/net.js` has the address 192.168.9.1");
    expect(other).toContain(`⚠ It contradicts ${id}. Both are kept: which one is right?`);
    expect(other).toMatch(/> EXP-\w{8}: .*192\.168\.7\.1\n>\n> EXP-\w{8}: .*192\.168\.9\.1/s);
  });

  it("optimize-flow is kept as a way of working", async () => {
    const issue = await place.openIssue("the flow", null, null);
    const reply = await say(issue, "/optimize-flow The linter goes before the tests of `src/lint.js`");
    expect(reply).toMatch(/✅ Recorded \[EXP-/);
    expect(await deposited(reply)).toMatchObject({ note: { type: "pattern" }, rules: [{ kind: "pattern" }] });
    const told = stack.model.requests().map(({ body }) => JSON.stringify(body));
    expect(
      told.some((text) => text.includes("about the way of working, and about no code: what stands below")),
    ).toBe(true);
  });
});
