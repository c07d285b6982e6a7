import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMemories } from "../../src/knowledge/index.js";
import { knowledgeOn } from "../support/finished-runs.js";
import { type Place, asked, newPlace, outcomeOf, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";

const REQ = "{{task.match:of (REQ-[\\w-]+) in}}";
const CAUSE = "Rows come as a plain array here, so the list is the argument itself.";
const BROKEN = "export const total = (rows) => rows.list.length;\n";
const TEST = `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { total } from "../src/${REQ}.js";\n\ntest("counts", () => assert.equal(total([1, 2]), 2));\n`;

const call = (tool: string, input: Record<string, unknown>) => ({ call: [{ tool, input }] });
const write = (path: string, content: string) => call("write_file", { path, content });
const done = (summary: string) => call("complete_task", { summary, evidence: [] });

/** The tiny model, whose first work fails, whose first repair does not help, and who believes what it is shown. */
function scenarios(): string {
  const tiny = JSON.parse(
    readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
  ) as { name: string }[];
  const path = `src/${REQ}.js`;
  const fix = (content: string, summary: string) => [
    call("read_file", { path }),
    write(path, content),
    done(summary),
  ];
  const task = {
    name: "task",
    when: { systemContains: "Your job: one task", taskContains: "Do task " },
    turns: [
      call("run", { command: `node -e "throw new RangeError('too many rows')"` }),
      call("run", { command: `node tool.mjs` }),
      write(path, BROKEN),
      write(`test/${REQ}.test.js`, TEST),
      write("tool.mjs", "console.log(1);\n"),
      call("run", { command: `node tool.mjs` }),
      done("The total is there, with a tool that prints it."),
    ],
  };
  const system = { systemContains: "Your job: one task" };
  const knowing = {
    name: "knowing-fix",
    when: { ...system, taskContains: ["fail after the change", CAUSE] },
    turns: fix("export const total = (rows) => rows.length;\n", "Took the array itself."),
  };
  const first = {
    name: "first-fix",
    when: { ...system, taskContains: ["fail after the change", "(try 1 of"], taskNotContains: CAUSE },
    turns: fix("export const total = (rows) => rows.items.length;\n", "Renamed the list to items."),
  };
  const second = {
    name: "second-fix",
    when: { ...system, taskContains: ["fail after the change", "(try 2 of"], taskNotContains: CAUSE },
    turns: fix("export const total = (rows) => rows.length;\n", CAUSE),
  };
  return JSON.stringify([knowing, first, second, task, ...tiny.filter(({ name }) => name !== "task")]);
}

let stack: Stack;
let place: Place;
beforeAll(async () => {
  stack = await startTinyStack({ scenarios: scenarios() });
  place = await newPlace(stack);
});
afterAll(async () => {
  await stack.close();
});

const events = (ref: string) =>
  readMemories(knowledgeOn(stack, place, ref)).memories.filter(({ type }) => type === "event");

describe("a failure that a run sees pass", () => {
  let first: number;
  it("becomes an event with signature, cause, what did not help, fix and proof", async () => {
    first = await place.openIssue("Add a total of rows");
    await place.ended(first, "Ready for review");
    expect(asked(stack, `REQ-${first}`)).toContain("second-fix#3");
    const { ref } = (await place.pullOf(first)).head;
    const [event] = events(ref).filter(({ title }) => title.includes("Cannot read properties"));
    expect(event?.title).toContain("Cannot read properties of undefined (reading 'length')");
    expect(event?.source).toBe("bug");
    expect(event?.tags[0]).toMatch(/^ERR-[0-9A-Z]{10}$/);
    expect(event?.text).toContain(CAUSE);
    expect(event?.text).toContain("What did not help before: ");
    expect(event?.text).toContain("Renamed the list to items.");
    expect(event?.files).toContain(`src/REQ-${first}.js`);
    expect(await place.read(event?.path ?? "", ref)).toContain("failed before and passed after");
  });

  it("is one also where an agent's own command shows it, and what only failed is none", async () => {
    const { ref } = (await place.pullOf(first)).head;
    const found = events(ref);
    expect(found).toHaveLength(2);
    const tool = found.find(({ title }) => title.includes("Cannot find module"));
    expect(tool?.text).toContain("The total is there, with a tool that prints it.");
    expect(tool?.files).toContain(`src/REQ-${first}.js`);
  });

  it("is shown first when the same error fails the next requirement, which is then fixed at the first try", async () => {
    const { number } = await place.pullOf(first);
    await place.merge(number);
    await outcomeOf(stack, ({ event, action }) => event === "pull_request" && action === "closed");
    await until("the fold", async () => (await place.files("context")).includes("experience"));
    const next = await place.openIssue("Add a total of columns");
    await place.ended(next, "Ready for review");
    expect(asked(stack, `REQ-${next}`)).not.toContain("first-fix#1");
    const shown = stack.model.requests().find(({ matched }) => matched === "knowing-fix#1");
    const known = /<knowledge>([\s\S]*?)<\/knowledge>/.exec(JSON.stringify(shown?.body))?.[1] ?? "";
    expect(known).toContain(CAUSE);
    expect(known.indexOf(CAUSE)).toBeLessThan(known.indexOf("context/INDEX.md"));
  });
});
