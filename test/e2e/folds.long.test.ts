import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseRules, readMemories } from "../../src/knowledge/index.js";
import { depositFile, depositOfRun, finishRuns, knowledgeOn, wrongOf } from "../support/finished-runs.js";
import { type Place, jobs, newPlace, outcomeOf, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";

const RISKS = "context/rules/risk-rules.md";
const PERSONS_RULE =
  "## R-PERS0N Ask before a release\n\n- level: warn\n- keywords: release\n- alert: ask Maya\n";

let stack: Stack;
beforeAll(async () => {
  stack = await startTinyStack();
});
afterAll(async () => {
  await stack.close();
});

/** Waits until what merges brought about is done. */
async function filed(place: Place, ...pulls: (number | undefined)[]): Promise<void> {
  for (const wanted of pulls)
    await outcomeOf(stack, ({ event, action, payload }) => {
      const { number, repository } = payload as { number?: number; repository?: { full_name: string } };
      const isHere = repository?.full_name === place.repository && number === wanted;
      return event === "pull_request" && action === "closed" && isHere;
    });
  await until("all jobs", async () => {
    const { waiting, running } = jobs(stack);
    return waiting + running === 0;
  });
}

async function mergeAndFile(place: Place, pull: number | undefined): Promise<void> {
  await place.merge(pull ?? 0);
  await filed(place, pull);
}

/** GitHub computes it later: until then it is null. */
const isMergeable = (place: Place, pull: number | undefined) =>
  until("whether it can be merged", async () => {
    const found = (await place.as("maya", "GET", `/pulls/${pull}`)) as { mergeable: boolean | null };
    return found.mergeable === null ? null : { answer: found.mergeable };
  });

const commit = (place: Place, files: Record<string, string | null>, branch = "main", from?: string) =>
  stack.forge.control.commit({
    repository: place.repository,
    branch,
    files,
    message: "A person's commit",
    login: "maya",
    ...(from ? { from } : {}),
  });

const pullFrom = async (place: Place, branch: string, state: "open" | "all" = "open") =>
  (await place.pulls(state)).filter(({ head }) => head.ref === branch);

describe("runs that end at once while a person edits the same rule file", () => {
  it("KN-56 KN-51: lose nothing, double nothing, and leave complete indexes", async () => {
    const place = await newPlace(stack, { files: { [RISKS]: "# Risk rules\n" } });
    const runs = await finishRuns(stack, place, { count: 5 });
    for (const { pull } of runs) await place.merge(pull);
    // What stands in the file by now is the person's to keep.
    const before = await place.read(RISKS);
    await commit(place, { [RISKS]: `${before.trimEnd()}\n\n${PERSONS_RULE}` });
    await filed(place, ...runs.map(({ pull }) => pull));
    const tree = knowledgeOn(stack, place);
    expect(wrongOf(tree, runs)).toEqual([]);
    expect(tree.get(RISKS)?.split("R-PERS0N")).toHaveLength(2);
    expect(readMemories(tree).memories.filter(({ id }) => id.startsWith("EXP-RVN"))).toHaveLength(5);
  });
});

describe("what a person has to look at", () => {
  const REVIEW = "agent/knowledge-review";
  const block = (number: number) => {
    const deposit = depositOfRun(number);
    return depositFile({
      ...deposit,
      rules: deposit.rules.map((rule) => ({ ...rule, level: "block" as const, status: "draft" as const })),
    });
  };
  const untrusted = (number: number) => {
    const deposit = depositOfRun(number);
    return depositFile({
      ...deposit,
      by: "otto",
      note: { ...deposit.note, trust: "untrusted", status: "draft" },
    });
  };
  let place: Place;
  const review = async () => (await pullFrom(place, REVIEW))[0];
  const foldMore = async (first: number, extra: Record<string, string>) => {
    const [run] = await finishRuns(stack, place, { count: 1, first, extra });
    await mergeAndFile(place, run?.pull);
  };

  it("waits in one pull request that says what it would do and why somebody must look", async () => {
    place = await newPlace(stack, { files: { "README.md": "# x\n" } });
    await foldMore(1, { ...block(101), ...untrusted(102) });
    const pull = await review();
    expect(pull?.body).toContain("EXP-RVN00101 Lesson of run 101");
    expect(pull?.body).toContain("a risk rule of level block: open module 101 first");
    expect(pull?.body).toContain("R-RV0101 asks for level block");
    expect(pull?.body).toContain("its text comes from someone without write access");
    const main = knowledgeOn(stack, place);
    expect([...main.keys()].filter((path) => path.startsWith("context/deposits/"))).toHaveLength(2);
    expect(main.get(RISKS)).not.toContain("R-RV0101");
    const shown = knowledgeOn(stack, place, REVIEW);
    expect(shown.get(RISKS)).toContain("R-RV0101");
    expect([...shown.keys()].filter((path) => path.startsWith("context/deposits/"))).toEqual([]);
  });

  it("is not asked for again after a person closed it, until something new waits", async () => {
    const first = await review();
    await place.as("maya", "PATCH", `/pulls/${first?.number}`, { state: "closed" });
    await foldMore(2, {});
    expect(await review()).toBeUndefined();
    await foldMore(3, block(103));
    const second = await review();
    expect(second?.number).not.toBe(first?.number);
    expect(second?.body).toContain("EXP-RVN00101");
    expect(second?.body).toContain("EXP-RVN00103");
  });

  it("keeps what a person changes on its branch, and takes later folds in", async () => {
    const text = await place.read(RISKS, REVIEW);
    await commit(place, { [RISKS]: text.replace("open module 101 first", "ask Maya about 101") }, REVIEW);
    await foldMore(4, block(104));
    const shown = knowledgeOn(stack, place, REVIEW).get(RISKS) ?? "";
    expect(shown).toContain("ask Maya about 101");
    expect(shown).toContain("R-RV0104");
    expect(shown).toContain("R-RV0004");
    expect(await isMergeable(place, (await review())?.number)).toEqual({ answer: true });
  });

  it("counts once it is merged, and nothing waits any more", async () => {
    await mergeAndFile(place, (await review())?.number);
    const main = knowledgeOn(stack, place);
    const { rules } = parseRules(RISKS, main.get(RISKS) ?? "", "risk");
    const blocking = rules.filter(({ level, status }) => level === "block" && status === "active");
    expect(blocking.map(({ id }) => id).sort()).toEqual(["R-RV0101", "R-RV0103", "R-RV0104"]);
    expect(readMemories(main).memories.map(({ id }) => id)).toContain("EXP-RVN00102");
    expect([...main.keys()].filter((path) => path.startsWith("context/deposits/"))).toEqual([]);
    expect(main.get("context/INDEX.md")).toContain("8 active");
    expect(await review()).toBeUndefined();
  });
});

describe("a protected base", () => {
  it("gets every fold in one pull request, which holds all of them and is filed when it is merged", async () => {
    const place = await newPlace(stack, { files: { "README.md": "# x\n" } });
    const runs = await finishRuns(stack, place, { count: 2 });
    stack.forge.control.protectBranch(place.repository, "main");
    for (const { pull } of runs) await mergeAndFile(place, pull);
    const pulls = await pullFrom(place, "agent/knowledge-fold", "all");
    expect(pulls).toHaveLength(1);
    expect(wrongOf(knowledgeOn(stack, place, "agent/knowledge-fold"), runs)).toEqual([]);
    await mergeAndFile(place, pulls[0]?.number);
    expect(wrongOf(knowledgeOn(stack, place), runs)).toEqual([]);
    expect(await pullFrom(place, "agent/knowledge-fold")).toEqual([]);
  });
});

describe("KN-57: a pull request that conflicts with its base in the knowledge", () => {
  it("is brought up to date by the ids of rules after the next fold, and stays mergeable", async () => {
    const rule = (id: string, keyword: string) =>
      `## ${id} About ${keyword}\n\n- level: warn\n- keywords: ${keyword}\n- alert: see ${keyword}\n`;
    const start = `# Risk rules\n\n${rule("R-AAAAAA", "a")}`;
    const place = await newPlace(stack, { files: { [RISKS]: start, "code.txt": "1\n" } });
    const [open, other] = await finishRuns(stack, place, { count: 2, extra: {} });
    await commit(place, { [RISKS]: `${start}\n${rule("R-BBBBBB", "b")}` }, open?.branch);
    await commit(place, { [RISKS]: `${start}\n${rule("R-CCCCCC", "c")}` });
    expect(await isMergeable(place, open?.pull)).toEqual({ answer: false });
    await mergeAndFile(place, other?.pull);
    expect(await isMergeable(place, open?.pull)).toEqual({ answer: true });
    const text = knowledgeOn(stack, place, open?.branch ?? "").get(RISKS) ?? "";
    const { rules, problems } = parseRules(RISKS, text, "risk");
    expect(problems).toEqual([]);
    expect(rules.map(({ id }) => id).sort()).toEqual(["R-AAAAAA", "R-BBBBBB", "R-CCCCCC", other?.rule]);
  });

  it("is left to people where code conflicts too", async () => {
    const place = await newPlace(stack, { files: { "code.txt": "1\n" } });
    const [open, other] = await finishRuns(stack, place, { count: 2 });
    const theirs = await commit(place, { "code.txt": "2\n" }, open?.branch);
    await commit(place, { "code.txt": "3\n" });
    await mergeAndFile(place, other?.pull);
    expect((await pullFrom(place, open?.branch ?? ""))[0]?.head.sha).toBe(theirs);
  });
});
