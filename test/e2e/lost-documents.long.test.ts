import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, asked, newPlace, startTinyStack } from "../support/place.js";
import type { Stack } from "../support/stack.js";

let stack: Stack;
beforeAll(async () => {
  stack = await startTinyStack();
});
afterAll(async () => {
  await stack.close();
});

/** A requirement in review whose documents somebody changes on its branch. */
async function reviewed(title: string, config = "") {
  const place: Place = await newPlace(stack, { config });
  const issue = await place.openIssue(title);
  await place.ended(issue, "Ready for review");
  const { number, head } = await place.pullOf(issue);
  const folder = `requirements/in-progress/${head.ref.replace("agent/", "")}`;
  const said = {
    requirement: await place.read(`${folder}/requirement.md`, head.ref),
    tasks: await place.read(`${folder}/tasks.md`, head.ref),
  };
  const put = (name: string, content: string | null) =>
    stack.forge.control.commit({
      repository: place.repository,
      branch: head.ref,
      files: { [`${folder}/${name}`]: content },
      message: "By hand",
      login: "maya",
    });
  const calls = () => asked(stack, `\`${place.repository}\``).length;
  const read = (name: string) => place.read(`${folder}/${name}`, head.ref);
  return { place, issue, number, said, put, read, calls };
}

describe("a requirement in review", () => {
  it("that somebody emptied is not handed over as one that shows all: it waits, and goes on once it is back", async () => {
    const { place, issue, number, said, put, read, calls } = await reviewed(
      "Say one",
      "agent:\n  reviewers: []\n",
    );
    await put("requirement.md", "");
    const before = calls();
    await place.say(issue, "@agent autonomy auto");
    await place.say(issue, "@agent retry");
    await place.ended(issue, "has no acceptance criteria any more", "⏸");
    expect(calls()).toBe(before);
    expect((await place.as("maya", "GET", `/pulls/${number}`)) as object).toMatchObject({ draft: true });

    await put("requirement.md", said.requirement);
    await place.say(issue, "@agent retry");
    await place.ended(issue, "Ready for review");
    expect(await read("requirement.md")).toBe(said.requirement);
    expect(await read("tasks.md")).toBe(said.tasks);
  });

  it.each(["requirement.md", "tasks.md"])(
    "whose %s was taken out says so, and pays for nothing",
    async (name) => {
      const { place, issue, said, put, calls } = await reviewed(`Do without ${name}`);
      await put(name, null);
      const before = calls();
      await place.say(issue, "@agent retry");
      await place.ended(issue, `${name} is missing on`, "⏸");
      expect(calls()).toBe(before);
      await put(name, name === "tasks.md" ? said.tasks : said.requirement);
      await place.say(issue, "@agent retry");
      await place.ended(issue, "Ready for review");
    },
  );
});
