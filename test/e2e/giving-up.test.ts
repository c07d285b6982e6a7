import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";

let stack: Stack;
let place: Place;
beforeAll(async () => {
  stack = await startTinyStack();
  place = await newPlace(stack);
});
afterAll(async () => {
  await stack.close();
});

describe("R11: a run that dies for good", () => {
  it("says so with the reason and the reply that goes on, and leaves no check in progress", async () => {
    const { control } = stack.forge;
    control.fault({ method: "POST", path: /\/pulls$/, status: 422, body: { message: "Validation Failed" } });
    control.fault({
      method: "PATCH",
      path: /\/check-runs\/\d+$/,
      times: 1,
      status: 403,
      body: { message: "Resource not accessible by integration" },
    });
    const issue = await place.openIssue("add what cannot be published");
    const status = await place.ended(issue, "Failed", "❌");
    expect(status).toContain("❌ **Failed: GitHub answered 422");
    expect(status.split("\n")[1]).toContain("reply `@agent retry` to go on");
    expect(status).not.toContain("⏳");
    expect(
      await until("the end of its check", async () =>
        (await place.checks(issue)).find((run) => run.status === "completed"),
      ),
    ).toMatchObject({ conclusion: "cancelled" });
    expect((await place.checks(issue)).every((run) => run.status === "completed")).toBe(true);

    await place.say(issue, "@agent retry");
    await place.ended(issue, "Ready for review");
    expect((await place.checks(issue)).map(({ conclusion }) => conclusion)).toContain("success");
  });

  it("is told even when the status comment could not be written before", async () => {
    stack.forge.control.fault({
      method: "POST",
      path: /\/issues\/\d+\/comments$/,
      times: 1,
      status: 422,
      body: { message: "Validation Failed" },
    });
    const issue = await place.openIssue("add what begins badly");
    expect(await place.ended(issue, "Failed", "❌")).toContain("Validation Failed");
  });
});

describe("a run that meets what trying again cannot cure", () => {
  it("says so in the status comment, saves the work, and goes on from there at a retry", async () => {
    const body = { message: "Resource not accessible by integration" };
    stack.forge.control.fault({ method: "POST", path: /\/check-runs$/, status: 403, body });
    const own = await newPlace(stack);
    const issue = await own.openIssue("add what is refused", "Please.");
    const status = await own.ended(issue, "", "❌");
    expect(status).toContain("Resource not accessible by integration");
    expect(await own.pulls()).toEqual([]);

    const turns = stack.model.requests().length;
    await own.as("maya", "POST", `/issues/${issue}/comments`, { body: "@agent retry" });
    expect(await own.ended(issue, "", "✅")).toContain("Ready for review");
    expect(await own.pulls()).toHaveLength(1);
    expect(stack.model.requests().length).toBe(turns);
  });
});

describe("an ask that cannot be carried out", () => {
  it("is answered with the reason", async () => {
    const issue = await place.openIssue("add a file", null, null);
    stack.forge.control.fault({
      method: "GET",
      path: new RegExp(`/issues/${issue}$`),
      status: 403,
      body: { message: "Resource not accessible by integration" },
    });
    expect(await place.say(issue, "@agent do it")).toMatch(/^ignored: GitHub answered 403/);
    expect((await place.replies(issue)).at(-1)).toMatch(/❌ GitHub answered 403 .+/);
  });
});
