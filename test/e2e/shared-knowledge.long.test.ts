import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { finishRuns, knowledgeOn } from "../support/finished-runs.js";
import { type Place, jobs, newPlace, outcomeOf, placeOf, startTinyStack } from "../support/place.js";
import { type Stack, readFolder, until } from "../support/stack.js";

const SERVICE = "context/tech/services/wallet.md";
const RULES = "context/rules/context-rules.md";
const RISKS = "context/rules/risk-rules.md";
const SHARED = {
  "README.md": "What we all know.\n",
  [SERVICE]: "# wallet\n\nThe wallet refuses negative amounts.\n",
  [RULES]: `# Context rules\n\n## R-7K3M2P Wallet\n\n- keywords: wallet\n- load: \`${SERVICE}\`\n`,
  [RISKS]:
    "# Risk rules\n\n## R-8K3M2P Ask the bank\n\n- level: high\n- keywords: wallet\n- alert: tell the bank before wallets change\n",
};
const OWN = {
  [RULES]: "# Context rules\n\n## R-9K3M2P Till\n\n- keywords: till\n- load: `context/till.md`\n",
};
const LESSON = {
  title: "Coupons are rounded down",
  problem: "A coupon of a third gave a cent too much.",
  keywords: ["coupon"],
  paths: ["src/coupon/**"],
  symbols: ["roundDown"],
  solution: "Round coupons down, as `src/coupon/round.js` does.",
  verification: "node --test",
  related: [],
};

let stack: Stack;
let place: Place;
beforeAll(async () => {
  const tiny = JSON.parse(readFileSync("test/fixtures/scenarios/tiny.json", "utf8")) as unknown[];
  const lesson = {
    name: "coupon",
    when: { systemContains: "Your job: what was learnt", taskContains: "a coupon for the shop" },
    turns: [{ say: JSON.stringify({ lesson: LESSON }) }],
  };
  stack = await startTinyStack({ scenarios: JSON.stringify([lesson, ...tiny]) });
  const { addRepository } = stack.forge.control;
  await addRepository({
    owner: "acme",
    name: "knowledge",
    files: SHARED,
    private: true,
    collaborators: { maya: "read" },
  });
  await addRepository({ owner: "acme", name: "secrets", files: SHARED, private: true });
  place = await newPlace(stack, {
    files: { ...readFolder("test/fixtures/tiny/"), ...OWN },
    config: "knowledge: { repository: acme/knowledge }\n",
  });
});
afterAll(async () => {
  await stack.close();
});

const designOf = (title: string) =>
  JSON.stringify(
    stack.model
      .requests()
      .find(({ matched, body }) => matched === "design#1" && JSON.stringify(body).includes(title))?.body,
  );
const lastReply = async (from: Place, number: number) => (await from.replies(number)).at(-1) ?? "";

/** An empty repository that several share, and services of it. */
async function shareAmong(name: string, ...services: string[]): Promise<Place[]> {
  const files = { "README.md": "What we all know.\n" };
  const common = await newPlace(stack, { files, repository: { name, collaborators: { maya: "write" } } });
  const config = `knowledge: { repository: acme/${name} }\n`;
  const users = services.map((service) => newPlace(stack, { config, repository: { name: service } }));
  return [common, ...(await Promise.all(users))];
}

/** Waits until what a merge brought about is done. */
async function mergeAndFile(at: Place, pull: number): Promise<void> {
  await at.merge(pull);
  await outcomeOf(stack, ({ event, action, payload }) => {
    const { number, repository } = payload as { number?: number; repository?: { full_name: string } };
    const isHere = repository?.full_name === at.repository && number === pull;
    return event === "pull_request" && action === "closed" && isHere;
  });
  await until("all jobs", async () => {
    const { waiting, running } = jobs(stack);
    return waiting + running === 0;
  });
}

const experience = (at: Place, ref = "main") =>
  [...knowledgeOn(stack, at, ref).keys()].filter((path) => path.startsWith("context/experience/"));
const deposits = (at: Place, ref = "main") =>
  [...knowledgeOn(stack, at, ref).keys()].filter((path) => path.startsWith("context/deposits/"));
const branches = async (at: Place) =>
  ((await at.as("maya", "GET", "/branches?per_page=100")) as { name: string }[]).map(({ name }) => name);

describe("knowledge.repository", () => {
  it("shows a run what several repositories know beside its own, and leaves that where it is", async () => {
    const issue = await place.openIssue("let the wallet pay at the till");
    const status = await place.ended(issue, "Ready for review");
    expect(status).toMatch(
      /⚠ \[R-8K3M2P\]\(.+\/acme\/knowledge\/blob\/main\/context\/rules\/risk-rules\.md\) tell the bank before wallets change/,
    );
    expect(designOf("pay at the till")).toContain("The wallet refuses negative amounts.");
    const pull = await place.pullOf(issue);
    expect(await place.files("context", pull.head.ref)).not.toContain("tech");
    expect(await place.read(RULES, pull.head.ref)).toBe(OWN[RULES]);
  });

  it("is left out with a notice where whoever asks may not read it, and the run goes on", async () => {
    const other = await newPlace(stack, { config: "knowledge: { repository: acme/secrets }\n" });
    const issue = await other.openIssue("let the wallet pay in advance");
    const status = await other.ended(issue, "Ready for review");
    expect(status).toContain("knowledge.repository: There is no acme/secrets that both the app and");
    expect(designOf("pay in advance")).not.toContain("negative amounts");
  });

  it("gets nothing from people who may only read there: it stays at home, and the answer says why", async () => {
    const issue = await place.openIssue("think about refunds", null, null);
    await place.say(issue, "@agent remember refunds must never be paid in cash");
    const reply = await lastReply(place, issue);
    expect(reply).toMatch(/✅ Recorded \[EXP-\w{8}\]\(.+\) in #\d+/);
    expect(reply).toContain(
      "⚠ It stays in this repository and did not go to `acme/knowledge`: @maya may not have acme/knowledge changed",
    );
    expect(deposits(place, "agent/knowledge")).toHaveLength(1);
    expect(await branches(placeOf(stack, "acme/knowledge"))).toEqual(["main"]);
    const [run] = await finishRuns(stack, place, { count: 1 });
    await mergeAndFile(place, run?.pull ?? 0);
    expect(experience(place)).toContain(`context/experience/lesson-of-run-1-${run?.note}.md`);
  });
});

describe("what is remembered in a service", () => {
  let [common, shop, till]: Place[] = [];
  let issue = 0;
  let note = "";
  beforeAll(async () => {
    [common, shop, till] = await shareAmong("common", "shop", "till");
  });

  it("goes to the shared repository, with the service before its own paths, and the answer links to it", async () => {
    if (!common || !shop) throw new Error("no places");
    issue = await shop.openIssue("add gift cards", null, null);
    await shop.say(
      issue,
      "@agent remember gift cards must never be written in `src/gifts/**` without a check",
    );
    const reply = await lastReply(shop, issue);
    expect(reply).toMatch(
      /✅ Recorded \[EXP-\w{8}\]\(.+\/acme\/common\/blob\/agent\/knowledge\/context\/deposits\/\w+\.md\) in acme\/common#\d+, with one rule/,
    );
    expect(reply).toContain("`src/gifts/**` changes");
    note = /EXP-\w{8}/.exec(reply)?.[0] ?? "";
    const [deposit = ""] = deposits(common, "agent/knowledge");
    const text = await common.read(deposit, "agent/knowledge");
    expect(text).toContain("- paths: `acme/shop:src/gifts/**`");
    expect(text).toContain(`/acme/shop/issues/${issue}`);
    expect(await branches(shop)).not.toContain("agent/knowledge");
    expect(await branches(common)).toContain("agent/knowledge");
  });

  it("is known there in other services at once, said again it is not written again", async () => {
    if (!common || !shop || !till) throw new Error("no places");
    await shop.say(
      issue,
      "@agent remember gift cards must never be written in `src/gifts/**` without a check",
    );
    expect(await lastReply(shop, issue)).toContain(`${note} says it already`);
    expect(deposits(common, "agent/knowledge")).toHaveLength(1);
    const other = await till.openIssue("print gift cards at the till");
    const status = await till.ended(other, "Ready for review");
    expect(status).toMatch(
      /\*\*From earlier work\*\* — ⚠ \[R-\w{6}\]\(.+\/acme\/common\/blob\/agent\/knowledge\/context\/deposits\/\w+\.md\)/,
    );
    expect(designOf("print gift cards")).toContain("acme/shop:src/gifts/**");
  });

  it("is filed there once its pull request is merged, and taken back from any of the services", async () => {
    if (!common || !shop || !till) throw new Error("no places");
    const [pull] = await common.pulls();
    await mergeAndFile(common, pull?.number ?? 0);
    expect(experience(common)).toEqual([expect.stringContaining(note)]);
    const other = await till.openIssue("forget gift cards", null, null);
    await till.say(other, `@agent forget ${note} EXP-NOWHERE1`);
    const reply = await lastReply(till, other);
    expect(reply).toMatch(new RegExp(`✅ Retired \`${note}\`, \`R-\\w{6}\` in acme/common#\\d+`));
    expect(reply).toContain("⚠ Nothing here has the id `EXP-NOWHERE1`.");
    expect(await branches(till)).not.toContain("agent/knowledge");
  });

  it("goes there from a pull request and from /optimize-flow, too", async () => {
    if (!common || !shop) throw new Error("no places");
    const before = await branches(shop);
    await shop.say(issue, "/optimize-flow print the receipt before the card is taken");
    expect(await lastReply(shop, issue)).toMatch(/✅ Recorded \[EXP-.+ in acme\/common#\d+/);
    const done = await shop.openIssue("sell a gift card");
    await shop.ended(done, "Ready for review");
    const { number, head } = await shop.pullOf(done);
    await shop.say(number, "@agent remember a gift card ends after three years");
    expect(await lastReply(shop, number)).toMatch(/✅ Recorded \[EXP-.+ in acme\/common#\d+/);
    expect([await branches(shop), deposits(shop, head.ref)]).toEqual([[head.ref, ...before], []]);
    expect(deposits(common, "agent/knowledge")).toHaveLength(2);
  });

  it("waits for a person where whose words it are may not write there", async () => {
    if (!common) throw new Error("no places");
    const config = "knowledge: { repository: acme/common }\n";
    const collaborators = { maya: "write", otto: "write" } as const;
    const bakery = await newPlace(stack, { config, repository: { collaborators } });
    const bread = await bakery.openIssue("bake bread", null, null);
    await bakery.say(bread, "Bread must never be sold on the second day.", "otto");
    await bakery.say(bread, "@agent remember this");
    const reply = await lastReply(bakery, bread);
    expect(reply).toMatch(/⏸ Recorded \[EXP-.+ in acme\/common#\d+.+ It does not count yet\./);
    expect(reply).toContain("it is by `@otto`, who may not write here");
  });
});

describe("what a run learns in a service", () => {
  it("is filed in the shared repository at the merge, and the next requirement of another service gets it", async () => {
    const [common, shop, till] = await shareAmong("lessons", "coupon-shop", "coupon-till");
    if (!common || !shop || !till) throw new Error("no places");
    const issue = await shop.openIssue("a coupon for the shop");
    await shop.ended(issue, "Ready for review");
    const pull = await shop.pullOf(issue);
    expect(deposits(shop, pull.head.ref)).toHaveLength(1);
    await mergeAndFile(shop, pull.number);
    expect(await shop.status(issue)).toMatch(/✅ \*\*Completed\*\* · #\d+ · .+ · lessons in `acme\/lessons`/);
    expect([experience(shop), deposits(shop)]).toEqual([[], []]);
    const [path = ""] = experience(common);
    expect(await common.read(path)).toContain("- paths: `acme/coupon-shop:src/coupon/**`");
    expect(deposits(common)).toEqual([]);
    const record = [...knowledgeOn(stack, shop)].find(([file]) => file.endsWith("/record.md"))?.[1];
    expect(record).toContain("Coupons are rounded down");
    const other = await till.openIssue("take a coupon at the till");
    await till.ended(other, "Ready for review");
    expect(designOf("take a coupon at the till")).toContain(
      "Round coupons down, as `acme/coupon-shop:src/coupon/round.js` does.",
    );
    const next = await shop.openIssue("count each coupon of a day");
    await shop.ended(next, "Ready for review");
    expect(designOf("count each coupon")).toContain("Round coupons down, as `src/coupon/round.js` does.");
  });

  it("is filed once, however often the fold at home begins again, and also beside what others file", async () => {
    const [common, shop, till] = await shareAmong("twice", "twice-shop", "twice-till");
    if (!common || !shop || !till) throw new Error("no places");
    // The fold files it, is refused at home, and begins again for the pull request that it waits in.
    stack.forge.control.protectBranch(shop.repository, "main");
    const [first] = await finishRuns(stack, shop, { count: 1, first: 11 });
    const [second] = await finishRuns(stack, till, { count: 1, first: 12 });
    await Promise.all([mergeAndFile(shop, first?.pull ?? 0), mergeAndFile(till, second?.pull ?? 0)]);
    const notes = [first?.note, second?.note];
    expect(experience(common).map((path) => /EXP-\w+/.exec(path)?.[0])).toEqual(notes);
    expect(
      knowledgeOn(stack, common)
        .get(RISKS)
        ?.match(/^## R-/gm),
    ).toHaveLength(2);
    const [waits] = (await shop.pulls()).filter(({ head }) => head.ref === "agent/knowledge-fold");
    await mergeAndFile(shop, waits?.number ?? 0);
    expect([experience(shop), deposits(shop), experience(common).length]).toEqual([[], [], 2]);
  });

  it("waits in the one pull request for knowledge where the shared repository takes no push", async () => {
    const [common, shop] = await shareAmong("guarded", "guarded-shop");
    if (!common || !shop) throw new Error("no places");
    stack.forge.control.protectBranch(common.repository, "main");
    stack.forge.control.protectBranch(shop.repository, "main");
    const [run] = await finishRuns(stack, shop, { count: 1, first: 21 });
    await mergeAndFile(shop, run?.pull ?? 0);
    const [pull] = await common.pulls();
    expect(pull?.head.ref).toBe("agent/knowledge");
    expect([experience(common), deposits(common, "agent/knowledge").length]).toEqual([[], 1]);
  });
});
