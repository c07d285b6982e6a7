import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, asked, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";

const slug = (name: string) => name.replaceAll(" ", "-");
const call = (tool: string, input: object) => ({ tool, input });
const done = (summary: string) => ({ call: [call("complete_task", { summary, evidence: [] })] });
const write = (path: string, content: string) => ({ call: [call("write_file", { path, content })] });
const step = (id: string, title: string, more: object = {}) => ({
  id,
  title,
  kind: "feature",
  criteria: [],
  files: [],
  after: [],
  ...more,
});
const plan = (name: string, tasks: object[]) => ({
  name: `design-${slug(name)}`,
  when: { systemContains: "Your job: the design", taskContains: name },
  turns: [
    {
      call: [
        call("complete_task", {
          summary: "As planned.",
          archaeology: [],
          decisions: [],
          files: [],
          risks: [],
          tests: [],
          tasks,
        }),
      ],
    },
  ],
});
const work = (name: string, id: string, turns: object[], more: object = {}) => ({
  name: `${slug(name)}-${id.toLowerCase()}${"taskNotContains" in more ? "-first" : ""}`,
  when: { systemContains: "Your job: one task", taskContains: [`Do task ${id} of`, name], ...more },
  turns,
});
const wallet = { who: "the wallet team", proof: "GET /v2/wallets answers" };
const list = (line: string) => `export const list = ["${line}"];\n`;

const SCENARIOS = [
  plan("four colours", [
    step("T1", "Red"),
    step("T2", "Green"),
    step("T3", "Blue"),
    step("T4", "Mix", { after: ["T1", "T2", "T3"] }),
  ]),
  plan("one list", [step("T1", "First line"), step("T2", "Second line")]),
  work("one list", "T1", [write("src/list.js", list("first")), done("The first.")]),
  work("one list", "T2", [write("src/list.js", list("second")), done("The second.")], {
    taskNotContains: "Done once already",
  }),
  work("one list", "T2", [
    { call: [call("read_file", { path: "src/list.js" })] },
    write("src/list.js", 'export const list = ["first", "second"];\n'),
    done("Both."),
  ]),
  // First: its requirement quotes those that were merged before it.
  plan("a circle", [step("T1", "Turn")]),
  plan("a wallet", [
    step("T1", "Interface of wallets", { kind: "external", external: wallet }),
    step("T2", "Show it", { after: ["T1"] }),
    step("T3", "The page"),
  ]),
  plan("a stand-in", [
    step("T1", "Interface of wallets", { kind: "external", external: { ...wallet, mock: "a fixed answer" } }),
    step("T2", "Show it", { after: ["T1"] }),
  ]),
  work("a circle", "T1", [
    write(
      "test/turn.test.js",
      'import test from "node:test";\ntest("turns", () => {\n  throw new Error("round");\n});\n',
    ),
    done("It turns."),
  ]),
  {
    name: "fix-of-a-circle",
    when: { systemContains: "Your job: one task", taskContains: ["Make them pass", "round"] },
    turns: [done("Looked at it.")],
  },
  ...(JSON.parse(
    readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
  ) as object[]),
];

let stack: Stack;
let place: Place;
beforeAll(async () => {
  stack = await startTinyStack({ scenarios: JSON.stringify(SCENARIOS) });
  place = await newPlace(stack);
});
afterAll(async () => {
  await stack.close();
});

const branchOf = async (issue: number) => (await place.pullOf(issue)).head.ref;
const partsOf = async (issue: number) =>
  until("the list of parts", async () =>
    (await place.comments(issue)).find(({ body }) => body.includes("<!-- accrue:parts")),
  );
/** A person ticks a box in the bot's list. */
async function tick(issue: number, id: string): Promise<void> {
  const parts = await partsOf(issue);
  const body = parts.body.replace(`- [ ] **${id}**`, `- [x] **${id}**`);
  await place.as("maya", "PATCH", `/issues/comments/${parts.id}`, { body });
}

describe("a plan", () => {
  it("is done with independent tasks side by side, each a commit of its own on one branch", async () => {
    const issue = await place.openIssue("four colours");
    await place.ended(issue, "Ready for review");
    const branch = await branchOf(issue);
    expect(await place.files("src", branch)).toEqual(
      expect.arrayContaining([1, 2, 3, 4].map((id) => `REQ-${issue}-T${id}.js`)),
    );
    const commits = (await place.as("maya", "GET", `/commits?sha=${branch}`)) as {
      commit: { message: string };
    }[];
    const subjects = commits.map(({ commit }) => commit.message.split("\n")[0] ?? "");
    const tasks = subjects.filter((subject) => /^T\d: /.test(subject));
    expect(tasks.toSorted((a, b) => a.localeCompare(b))).toEqual([
      "T1: Red",
      "T2: Green",
      "T3: Blue",
      "T4: Mix",
    ]);
    expect(
      await place.read(`requirements/in-progress/REQ-${issue}-four-colours/tasks.md`, branch),
    ).not.toContain("- [ ]");
  });

  it("does a task again on the merged state where two changed the same lines", async () => {
    const issue = await place.openIssue("one list");
    await place.ended(issue, "Ready for review");
    expect(await place.read("src/list.js", await branchOf(issue))).toBe(
      'export const list = ["first", "second"];\n',
    );
  });
});

describe("a part that others do", () => {
  it("holds up only what depends on it, and ticking it goes on", async () => {
    const issue = await place.openIssue("a wallet");
    const status = await place.ended(issue, "Waiting for others", "⏸");
    expect(status).toContain(
      "⏸ **Waiting for others: T1 Interface of wallets (the wallet team) · T2 can only be done",
    );
    expect((await partsOf(issue)).body).toMatch(
      /\*\*Parts of others\*\* · REQ-\d+ · tick one when its proof is there\n\n- \[ \] \*\*T1\*\* Interface of wallets — the wallet team · proof: GET \/v2\/wallets answers/,
    );
    const before = asked(stack, `REQ-${issue}`).length;
    await tick(issue, "T1");
    await place.ended(issue, "Ready for review", "✅");
    expect(await place.files("src", await branchOf(issue))).toEqual(
      expect.arrayContaining([`REQ-${issue}-T2.js`, `REQ-${issue}-T3.js`]),
    );
    // Nothing that was done before is done again.
    expect(
      asked(stack, `REQ-${issue}`)
        .slice(before)
        .filter((one) => one.startsWith("task#")),
    ).toHaveLength(2);
  });

  it("with an agreed stand-in holds up nothing but the completion, and the real thing takes its place in one list (KN-25)", async () => {
    const issue = await place.openIssue("a stand-in");
    await place.ended(issue, "Ready for review");
    const told = stack.model.requests().find(({ body }) => JSON.stringify(body).includes("MOCK T1"));
    expect(JSON.stringify(told?.body)).toContain("Use the agreed stand-in (a fixed answer)");
    await tick(issue, "T1");
    const branch = await branchOf(issue);
    await until("the stand-in's replacement", async () =>
      (await place.files("src", branch)).includes(`REQ-${issue}-T3.js`) ? true : undefined,
    );
    await place.ended(issue, "Ready for review");
    const tasks = await place.read(`requirements/in-progress/REQ-${issue}-a-stand-in/tasks.md`, branch);
    expect(tasks).toContain("- [x] T3 Replace the stand-in of T1: Interface of wallets");
    const lists = (await place.comments(issue)).filter(({ body }) => body.includes("<!-- accrue:parts"));
    expect(lists).toHaveLength(1);
  });

  it("that is open when the pull request is merged keeps the requirement open, until it is ticked", async () => {
    const issue = await place.openIssue("a stand-in again, a stand-in");
    await place.ended(issue, "Ready for review");
    await place.merge((await place.pullOf(issue)).number);
    await place.ended(issue, "Merged, not completed: waits for T1 Interface of wallets", "⏸");
    await tick(issue, "T1");
    await place.ended(issue, "Completed", "✅");
    const folder = (await place.files("requirements/completed")).find((name) =>
      name.startsWith(`REQ-${issue}-`),
    );
    expect(await place.read(`requirements/completed/${folder ?? ""}/tasks.md`)).toContain("- [x] T1 ");
  });
});

describe("a run that goes round in circles", () => {
  it("stops and asks after the first fix that changed nothing, and at once the next time", async () => {
    const issue = await place.openIssue("a circle");
    const status = await place.ended(issue, "No progress");
    expect(status).toContain(
      "⏸ **No progress: after the last fix the code is back where it failed before (tests: 1 of ",
    );
    const fixes = () =>
      asked(stack, `REQ-${issue}`).filter((one) => one.startsWith("fix-of-a-circle")).length;
    expect(fixes()).toBe(1);
    await place.say(issue, "@agent retry");
    await until("a second try", async () => (fixes() === 2 ? true : undefined));
    await place.ended(issue, "No progress");
    expect(fixes()).toBe(2);
  });
});
