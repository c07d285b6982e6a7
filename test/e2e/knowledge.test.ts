import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/db/index.js";
import { createLedger } from "../../src/ledger/index.js";
import { type Place, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, readFolder } from "../support/stack.js";

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

  it("is not sent to a server that only the repository names, which is said", () => {
    expect(status).toContain("a server that the operator does not allow");
  });
});
