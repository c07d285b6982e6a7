import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  builtinTools,
  createRegistry,
  readHandOver,
  SKILL_TOOL,
  skillTool,
  type TodoItem,
} from "../../src/tools/index.js";
import { openLocalWorkspace } from "../support/local-workspace.js";

const NEVER = new AbortController().signal;
let workspace: Awaited<ReturnType<typeof openLocalWorkspace>>;
beforeEach(async () => {
  workspace = await openLocalWorkspace();
});
afterEach(() => workspace.close());

let shown: TodoItem[] = [];
const used: string[] = [];
const skill = skillTool({
  skills: [
    { name: "write-tests", description: "How tests are written." },
    { name: "release", description: "How it is released." },
  ],
  load: (name) =>
    Promise.resolve({
      body: `# ${name}\n`,
      files: name === "release" ? [] : ["scripts/a.sh", "template.md"],
      folder: ".agents/skills/write-tests",
    }),
  used: (name) => used.push(name),
});

async function use(name: string, ...inputs: Record<string, unknown>[]) {
  const context = { ...workspace.context, showTodo: (items: readonly TodoItem[]) => (shown = [...items]) };
  const calls = inputs.map((input, at) => ({ id: `t${at}`, name, input, problem: null }));
  const results = await createRegistry([...builtinTools(), skill]).execute(calls, context, NEVER);
  return results.map(({ content, is_error }) => ({ text: content, refused: is_error === true }));
}

describe("note", () => {
  it("keeps notes by section in the hand-over file, also across agents", async () => {
    expect(await readHandOver(workspace.context)).toBe("");
    await use("note", { section: "next", text: "Write T2's test." });
    await use(
      "note",
      { section: "decision", text: "Use the table.\nBecause:\n- [next] it is there" },
      { section: "problem", text: "章 fails" },
      { section: "decision", text: "No cache." },
    );
    expect(await readHandOver(workspace.context)).toBe(
      "## decision\n\n- Use the table.\n  Because:\n  - [next] it is there\n- No cache.\n\n## problem\n\n- 章 fails\n\n## next\n\n- Write T2's test.",
    );
    expect(await workspace.context.files.list()).toEqual([]);
  });

  it("refuses what does not fit any more, and says what to do", async () => {
    const long = { section: "finding", text: "x".repeat(2000) };
    const results = await use("note", ...Array.from({ length: 8 }, () => long));
    expect(results.filter(({ refused }) => refused)).toHaveLength(1);
    expect(results.at(-1)?.text).toMatch(/^The notes would have \d+ bytes, more than 16000\. Go on without/);
    expect((await readFile(workspace.context.handOver)).length).toBeLessThan(16_000);
    const [empty, longer, unknown] = await use(
      "note",
      { section: "finding", text: " \n" },
      { section: "finding", text: "x".repeat(2001) },
      { section: "progress", text: "x" },
    );
    expect([empty, longer, unknown].map((result) => result?.refused)).toEqual([true, true, true]);
  });
});

describe("todo", () => {
  const items = (...states: string[]) => ({
    items: states.map((state, at) => ({ text: `step ${at}`, state })),
  });

  it("replaces the whole list, shows it and repeats it", async () => {
    await use("todo", items("open", "open", "open"));
    const [result] = await use("todo", items("done", "active"));
    expect(result?.text).toBe("1 of 2 done\n[x] step 0\n[>] step 1");
    expect(shown).toEqual([
      { text: "step 0", state: "done" },
      { text: "step 1", state: "active" },
    ]);
    expect((await use("todo", { items: [] }))[0]?.text).toBe("0 of 0 done");
  });

  it.each([
    [items("active", "active"), /Only one item can be active/],
    [items(...Array<string>(21).fill("open")), /<=20 items/],
    [{ items: [{ text: "a\nb", state: "open" }] }, /one line/],
    [{ items: [{ text: "a", state: "half" }] }, /"open"\|"active"\|"done"/],
  ])("refuses %j and keeps what is shown", async (input, message) => {
    shown = [];
    const [result] = await use("todo", input);
    expect(result?.text).toMatch(message);
    expect(shown).toEqual([]);
  });
});

describe("activate_skill", () => {
  it("gives the text of the skill and the names of its files, and tells of its use", async () => {
    used.length = 0;
    const [one, two] = await use(SKILL_TOOL, { name: "write-tests" }, { name: "release" });
    expect(one?.text).toBe(
      "# write-tests\n\nFiles of this skill in .agents/skills/write-tests:\nscripts/a.sh\ntemplate.md",
    );
    expect(two?.text).toBe("# release\n");
    expect(used).toEqual(["write-tests", "release"]);
  });

  it("names the nearest skill, or all of them, for a name that is none", async () => {
    used.length = 0;
    const [near, far] = await use(SKILL_TOOL, { name: "write-test" }, { name: "deploy to production" });
    expect(near).toEqual({
      text: 'There is no skill "write-test". Did you mean "write-tests"?',
      refused: true,
    });
    expect(far?.text).toContain("There are: write-tests, release.");
    expect(used).toEqual([]);
  });
});
