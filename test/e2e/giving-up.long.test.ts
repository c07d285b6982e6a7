import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";

const MINUTES = 60_000;

let stack: Stack;
let place: Place;
beforeAll(async () => {
  stack = await startTinyStack();
  place = await newPlace(stack);
});
afterAll(async () => {
  await stack.close();
});

describe("R11: a run whose worker is lost again and again", () => {
  it(
    "is given up in the end, says so, and retry goes on",
    async () => {
      for (let tries = 0; tries < 6; tries++) stack.model.fault({ kind: "delay", ms: 5 * MINUTES });
      const issue = await place.openIssue("add what kills workers");
      for (let lost = 1; lost <= 5; lost++) {
        await until(`try ${lost}`, async () => stack.model.requests().length >= lost, MINUTES);
        await stack.kill();
        await stack.startServer();
      }
      const status = await until(
        "the end",
        async () => {
          const text = await place.status(issue);
          return text.includes("❌") ? text : null;
        },
        MINUTES,
      );
      expect(status).toContain("❌ **Failed, and not tried again.** Reply `@agent retry`");
      expect(status).toContain("The worker was lost 5 times while it did this.");
    },
    10 * MINUTES,
  );
});

describe("PM-01: a permission that GitHub cannot tell at the moment", () => {
  it(
    "is asked for again, and nothing is done before it is told",
    async () => {
      const issue = await place.openIssue("add with patience", null, null);
      stack.forge.control.fault({ path: /\/collaborators\/maya\/permission$/, times: 4, status: 500 });
      await place.as("maya", "POST", `/issues/${issue}/comments`, { body: "@agent help" });
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      expect(await place.replies(issue)).toEqual([]);
      await until("the answer", async () => (await place.replies(issue)).length === 1, MINUTES);
    },
    2 * MINUTES,
  );
});
