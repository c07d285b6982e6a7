import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { knowledgeOn } from "../support/finished-runs.js";
import { type Place, jobs, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, readFolder, until } from "../support/stack.js";

const SOLVED = "docs/solutions/receipts.md";
const TEXT =
  "# Numbers of receipts\n\nReceipts are numbered by `src/receipts.js`, because the bank refuses gaps.\n";
const RULES = "context/rules/context-rules.md";
const RULE = `# Context rules\n\n## R-7K3M2P Receipts\n\n- keywords: receipt\n- load: \`${SOLVED}\`\n`;

let stack: Stack;
let place: Place;
beforeAll(async () => {
  stack = await startTinyStack();
  place = await newPlace(stack, {
    files: { ...readFolder("test/fixtures/tiny/"), [SOLVED]: TEXT, [RULES]: RULE },
    config: "knowledge: { roots: [context, docs/solutions], deposit: pull-request, depositor: rules }\n",
  });
});
afterAll(async () => {
  await stack.close();
});

const deposits = (ref: string) => knowledgeOn(stack, place, ref);
const standing = async () =>
  (await place.pulls("all")).filter(({ head }) => head.ref.startsWith("agent/knowledge"));

describe("knowledge.roots", () => {
  it("shows a run what people keep there, and the fold never writes it", async () => {
    const issue = await place.openIssue("number each receipt of the till");
    await place.ended(issue, "Ready for review");
    const shown = stack.model.requests().find(({ matched }) => matched === "design#1");
    expect(JSON.stringify(shown?.body)).toContain("because the bank refuses gaps");
  });
});

describe("knowledge.deposit: pull-request", () => {
  it("puts what is taught on a pull request of the bot into the one for knowledge, which counts at once", async () => {
    const issue = await place.openIssue("add a till");
    await place.ended(issue, "Ready for review");
    const pull = await place.pullOf(issue);
    const before = [...deposits(pull.head.ref).keys()];
    await place.say(pull.number, "@agent remember tills are named after their `src/till.js` street");
    const [knowledge, ...more] = await standing();
    expect([knowledge?.head.ref, more]).toEqual(["agent/knowledge", []]);
    expect((await place.replies(pull.number)).at(-1)).toContain(`in #${knowledge?.number}`);
    expect([...deposits(pull.head.ref).keys()]).toEqual(before);
    await place.say(issue, "@agent remember receipts are kept for ten years in `src/archive.js`");
    expect(await standing()).toHaveLength(1);
    await place.say(pull.number, "@agent remember tills are named after their `src/till.js` street");
    expect((await place.replies(pull.number)).at(-1)).toMatch(
      /known already|recorded already|Nothing was recorded/i,
    );
  });

  it("is filed by the fold after the merge, which points to other roots and writes nothing there", async () => {
    const [knowledge] = await standing();
    await place.merge(knowledge?.number ?? 0);
    await until("the fold", async () => (await place.files("context")).includes("INDEX.md"));
    await until("all jobs", async () => jobs(stack).waiting + jobs(stack).running === 0);
    expect(await place.read("context/INDEX.md")).toContain(`· \`${SOLVED}\``);
    expect(await place.read(SOLVED)).toBe(TEXT);
  });
});
