import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/db/index.js";
import { createLedger } from "../../src/ledger/index.js";
import { type Place, asked, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, readFolder, until } from "../support/stack.js";

const NOTE = `---
id: EXP-7K3M2P9Q
title: Refunds are sent once
type: event
status: active
trust: reviewed
---

## Problem

A refund was paid twice because the worker retried after a timeout.

## Solution

Send the idempotency key of the order with every refund, in \`src/refunds.js\`.
`;
const USED = `---
id: EXP-AAAAAAAA
title: Sources are named after their requirement
type: pattern
status: active
trust: reviewed
---

## Problem

Nobody finds a source again.

## Solution

Name it like \`src/REQ-*.js\`.
`;
const INDEX = "# Knowledge\n\n- [Refunds](experience/refunds-EXP-7K3M2P9Q.md)\n";
const CONFIG = "memory:\n  embedder: { url: https://vectors.example/v1, model: m }\n";

let stack: Stack;
let place: Place;
let issue: number;
let status: string;
beforeAll(async () => {
  stack = await startTinyStack();
  place = await newPlace(stack, {
    files: {
      ...readFolder("test/fixtures/tiny/"),
      "context/INDEX.md": INDEX,
      "context/experience/refunds-EXP-7K3M2P9Q.md": NOTE,
      "context/experience/sources-EXP-AAAAAAAA.md": USED,
    },
    config: CONFIG,
  });
  issue = await place.openIssue("Do not pay a refund twice when the worker retries");
  status = await place.ended(issue, "Ready for review");
});
afterAll(async () => {
  await stack.close();
});

/** What the agent of a phase was told is known. */
function knowledgeOf(scenario: string): string {
  const request = stack.model.requests().find(({ matched }) => matched === scenario);
  return /<knowledge>[\s\S]*?<\/knowledge>/.exec(JSON.stringify(request?.body))?.[0] ?? "";
}

const BLOCK = `# Risk rules

## R-7K3M2P Virtual goods go to the virtual wallet

- level: block
- status: active
- keywords: 商品发放
- alert: 注意钱包类型：虚拟商品 → 虚拟钱包
- source: PR #1
`;

describe("a rule of level block", () => {
  let guarded: Place;
  let wallet: number;
  const calls = () => asked(stack, `REQ-${wallet}`);
  const branch = async () => (await guarded.pullOf(wallet)).head.ref;

  it("stops before any code, says which rule, in the issue's language, and how to confirm", async () => {
    guarded = await newPlace(stack, {
      files: { ...readFolder("test/fixtures/tiny/"), "context/rules/risk-rules.md": BLOCK },
    });
    // Numbers of issues are per repository, and calls are told apart by them.
    for (let count = 0; count < 4; count++) await guarded.openIssue("an earlier one", null, null);
    wallet = await guarded.openIssue("给商品发放加一个文件", "用户领取虚拟商品");
    const said = await guarded.ended(wallet, "写代码之前需要确认");
    expect(said).toContain("R-7K3M2P 注意钱包类型：虚拟商品 → 虚拟钱包");
    expect(said).toContain("回复 `@agent confirm` 继续");
    expect(calls()).toEqual(["requirement#1", "design#1"]);
  });

  it("is not confirmed by who may only read", async () => {
    await guarded.say(wallet, "@agent confirm", "otto");
    expect(calls()).toHaveLength(2);
  });

  it("lets the work go on once a person with write permission confirms, and keeps that in git", async () => {
    await guarded.say(wallet, "@agent confirm");
    await guarded.ended(wallet, "待评审");
    const folder = `requirements/events/REQ-${wallet}`;
    const texts = await Promise.all(
      (await guarded.files(folder, await branch())).map(async (name) =>
        guarded.read(`${folder}/${name}`, await branch()),
      ),
    );
    expect(texts.filter((text) => /confirm R-7K3M2P by @maya/.test(text))).toHaveLength(1);
  });

  it("is not asked again when the requirement goes on", async () => {
    const { number } = await guarded.pullOf(wallet);
    await guarded.say(number, "@agent 再加一个文件");
    await until("the second change", async () => calls().filter((call) => call === "task#2").length === 2);
    expect(await guarded.ended(wallet, "待评审")).not.toContain("@agent confirm` 继续");
  });
});

describe("what is known", () => {
  it("begins with the index in each phase, and follows its layer: experience comes at the design", () => {
    expect(knowledgeOf("requirement#1")).toContain("context/INDEX.md");
    expect(knowledgeOf("requirement#1")).not.toContain("[EXP-7K3M2P9Q]");
    for (const scenario of ["design#1", "task#1"]) {
      expect(knowledgeOf(scenario)).toContain("context/INDEX.md");
      expect(knowledgeOf(scenario)).toContain("[EXP-7K3M2P9Q]");
      expect(knowledgeOf(scenario)).toContain("idempotency key");
    }
  });

  it("stands in the ledger by phase, and takes at most 3,000 tokens of a pack", () => {
    const db = openDatabase(join(stack.data, "accrue.db"));
    const phases = createLedger(db).knowledgeByPhase({ requirement: `REQ-${issue}` });
    db.close();
    expect(phases.map(({ phase }) => phase).slice(0, 3)).toEqual(["requirement", "design", "implement"]);
    for (const { tokens } of phases.slice(0, 3)) {
      expect(tokens).toBeGreaterThan(0);
      expect(tokens).toBeLessThanOrEqual(3_000);
    }
  });

  it("is recorded as used, in one file of the run, only where the change touched what it names", async () => {
    const { ref } = (await place.pullOf(issue)).head;
    const [month = ""] = await place.files("context/events", ref);
    const names = await place.files(`context/events/${month}`, ref);
    expect(names).toHaveLength(1);
    const run = /run (\w{26})/.exec(status)?.[1] ?? "";
    expect(names[0]).toBe(`${run}.jsonl`);
    const lines = (await place.read(`context/events/${month}/${names[0]}`, ref)).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { v: 1, memory: "EXP-AAAAAAAA", kind: "changed", run, at: expect.any(String) },
    ]);
  });

  it("is not sent to a server that only the repository names, which is said", () => {
    expect(status).toContain("a server that the operator does not allow");
  });
});
