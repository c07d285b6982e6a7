import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMemories } from "../../src/knowledge/index.js";
import { knowledgeOn } from "../support/finished-runs.js";
import { type Place, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, readFolder } from "../support/stack.js";

const RUNS = 20;
const LONG_MS = 900_000;
const FALSE = "Every file of src says done through the helper of greet.js.";
const NOTE = `---
id: EXP-FA15E000
title: Files say done
type: pattern
status: active
trust: bot
---

## Problem

A file has to say done.

## Triggers

- keywords: file

## Solution

${FALSE}

## Verification

node --test

## Related

- src/greet.js
`;

/** The tiny model, whose lesson is what it was shown: as it stands, reworded, or with a sentence of its own before it. */
function scenarios(): string {
  const tiny = JSON.parse(
    readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
  ) as { name: string }[];
  const shown = "{{task.match:(Every file of src says done.*greet.js[.])}}";
  const ways = [shown, `As the notes say: ${shown}`, `- ${shown}`, `The notes are right. ${shown}`];
  const lesson = (solution: string) => ({
    title: "Files say done",
    problem: "A file has to say done.",
    keywords: ["file"],
    paths: [],
    symbols: [],
    solution,
    verification: "node --test",
    related: [],
  });
  const lessons = ways.map((way, index) => ({
    name: `lesson-${index}`,
    when: {
      systemContains: "Your job: what was learnt",
      // By the last digit of the requirement's number, so that each way of saying it has its turn.
      taskMatches: `REQ-\\d*[${[...Array(10).keys()].filter((digit) => digit % ways.length === index).join("")}]\\b`,
    },
    turns: [{ say: JSON.stringify({ lesson: lesson(way) }) }],
  }));
  return JSON.stringify([...lessons, ...tiny.filter(({ name }) => name !== "lesson")]);
}

let stack: Stack;
let place: Place;
beforeAll(async () => {
  stack = await startTinyStack({ scenarios: scenarios() });
  place = await newPlace(stack, {
    files: { ...readFolder("test/fixtures/tiny/"), "context/experience/files-EXP-FA15E000.md": NOTE },
  });
});
afterAll(async () => {
  await stack.close();
});

describe("KN-40: a false note", () => {
  it(
    "stays one copy after twenty runs whose model repeats what it is shown",
    async () => {
      for (let run = 0; run < RUNS; run++) {
        const issue = await place.openIssue(`Add one more file, number ${run}`);
        await place.ended(issue, "Ready for review");
        const { number } = await place.pullOf(issue);
        await place.merge(number);
      }
      const repeated = stack.model.requests().filter(({ matched }) => matched?.startsWith("lesson-"));
      expect(repeated).toHaveLength(RUNS);
      expect(repeated.every(({ body }) => JSON.stringify(body).includes(FALSE))).toBe(true);
      const { memories } = readMemories(knowledgeOn(stack, place));
      expect(memories.filter(({ text }) => text.includes("says done through"))).toHaveLength(1);
      expect(memories.filter(({ type }) => type === "pattern")).toHaveLength(1);
    },
    LONG_MS,
  );
});
