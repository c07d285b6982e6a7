import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, newPlace, outcomeOf, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";
import { gitIn } from "../support/story-audit.js";

let stack: Stack;
let place: Place;
beforeAll(async () => {
  stack = await startTinyStack();
  place = await newPlace(stack);
});
afterAll(async () => {
  await stack.close();
});

describe("a person's branch that is named after a requirement", () => {
  it("is written to by nobody else, and neither changes nor completes that requirement", async () => {
    const issue = await place.openIssue("Make it blue");
    await place.ended(issue, "Ready for review");
    const { number: ours } = await place.pullOf(issue);
    const own = `agent/REQ-${issue}-make-it-blue`;
    // It comes first in the alphabet.
    const theirs = `a-maya/REQ-${issue}-notes`;
    await stack.forge.control.commit({
      repository: place.repository,
      branch: theirs,
      from: "main",
      files: { "notes.md": "Blue is nice.\n" },
      message: "Take notes",
      login: "maya",
    });
    const { number } = (await place.as("maya", "POST", "/pulls", {
      title: "Notes",
      head: theirs,
      base: "main",
    })) as { number: number };

    await place.say(issue, "@agent autonomy auto");
    expect(gitIn(stack, place, "log", "--format=%s", theirs)).toBe("Take notes\nInitial commit\n");
    expect(gitIn(stack, place, "log", "-1", "--format=%s", own)).toBe(`REQ-${issue}: autonomy auto\n`);

    await place.say(number, "@agent make the notes shorter");
    const [answer = ""] = await place.replies(number);
    expect(answer).toContain("this pull request is none of the app's");

    const before = await place.status(issue);
    await place.merge(number);
    const closed = await outcomeOf(
      stack,
      ({ event, action }) => event === "pull_request" && action === "closed",
    );
    expect(closed).toContain("ignored");
    expect(await place.status(issue)).toBe(before);

    await place.merge(ours);
    await place.ended(issue, "Completed");
    await until("the filed requirement", async () =>
      (await place.files("requirements/completed")).some((name) => name.startsWith(`REQ-${issue}-`)),
    );
  });
});
