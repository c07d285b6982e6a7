import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stack, startStack } from "../support/stack.js";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(async () => {
  await stack.close();
});

describe("a run that meets what trying again cannot cure", () => {
  it("says so in the status comment, saves the work, and goes on from there at a retry", async () => {
    const { control } = stack.forge;
    const body = { message: "Resource not accessible by integration" };
    control.fault({ method: "POST", path: /\/check-runs$/, status: 403, body });
    const issue = await stack.openIssue("add CSV export to the user module", "Please.");
    const status = await stack.ended(issue, "❌");
    expect(status).toContain("Resource not accessible by integration");
    expect(await stack.pulls()).toEqual([]);

    const turns = stack.model.requests().length;
    await stack.comment(issue, "@agent retry");
    expect(await stack.ended(issue, "✅")).toContain("Ready for review");
    expect(await stack.pulls()).toHaveLength(1);
    expect(stack.model.requests().length).toBe(turns);
  }, 60_000);
});
