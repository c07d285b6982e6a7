import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtinTools, createRegistry, createSeenFiles } from "../../src/tools/index.js";
import { openLocalWorkspace } from "../support/local-workspace.js";

const NEVER = new AbortController().signal;
let workspace: Awaited<ReturnType<typeof openLocalWorkspace>>;
beforeEach(async () => {
  workspace = await openLocalWorkspace();
});
afterEach(() => workspace.close());

const asked: string[] = [];
/** Stands for the parsers of the code map: a file with an open brace has a problem. */
async function problemOf(path: string): Promise<string | null> {
  asked.push(path);
  const text = String(await workspace.context.files.read(path));
  return text.split("{").length === text.split("}").length ? null : "line 1: } expected.";
}

async function use(name: string, input: Record<string, unknown>) {
  const call = { id: "t", name, input, problem: null };
  const context = { ...workspace.context, problemOf };
  const [result] = await createRegistry(builtinTools()).execute([call], context, NEVER);
  return { text: result?.content ?? "", isError: result?.is_error === true };
}
const read = async (path: string) => String(await workspace.context.files.read(path));

describe("a written file that does not parse", () => {
  it("is said to after write_file and edit_file, and is no error, since it was written", async () => {
    asked.length = 0;
    const written = await use("write_file", { path: "src/a.ts", content: "if (x) {\n" });
    expect(written).toEqual({
      text: "Created src/a.ts (9 bytes).\n⚠ src/a.ts does not parse: line 1: } expected. Correct it before you go on.",
      isError: false,
    });
    const edited = await use("edit_file", { path: "src/a.ts", old_text: "{\n", new_text: "{}\n" });
    expect(edited).toEqual({ text: "Edited src/a.ts: the new text is at lines 1–2.", isError: false });
    expect(asked).toEqual(["src/a.ts", "src/a.ts"]);
  });
});

describe("an expectation", () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>, string | null]>([
    [
      "write_file",
      { path: "b.ts", content: "let a = {};\r\nlet b;" },
      { contains: "{};\nlet b", parses: true },
      null,
    ],
    [
      "write_file",
      { path: "b.ts", content: "let a;" },
      { contains: "let b" },
      'b.ts does not contain "let b"',
    ],
    ["write_file", { path: "b.ts", content: "{" }, { parses: true }, "b.ts does not parse"],
    ["write_file", { path: "b.ts", content: "{}" }, { parses: false }, "b.ts has no known problem"],
    ["edit_file", { path: "a.ts", old_text: "one", new_text: "two" }, { contains: "two" }, null],
    [
      "edit_file",
      { path: "a.ts", old_text: "one", new_text: "{" },
      { contains: "one", parses: true },
      'a.ts does not contain "one"; a.ts does not parse',
    ],
    ["run", { command: "echo fine" }, { exit_code: 0, output_contains: "fine" }, null],
    ["run", { command: "exit 3" }, { exit_code: 3 }, null],
    ["run", { command: "true" }, { exit_code: 3 }, "expected exit code 3, observed 0"],
    [
      "run",
      { command: "echo bad; exit 3" },
      { exit_code: 0, output_contains: "fine" },
      'expected exit code 0, observed 3; the output does not contain "fine"',
    ],
    ["run", { command: "kill -9 $$" }, { exit_code: 0 }, "expected exit code 0, observed none"],
  ])("of %s %j: %j", async (name, input, expectation, unmet) => {
    await workspace.context.files.write("a.ts", "one\n");
    const { text, isError } = await use(name, { ...input, expect: expectation });
    const [said, ...more] = text.split("Expectation not met: ");
    expect(isError).toBe(unmet !== null);
    expect(said).toMatch(/^(Created|Edited|exit code|ended by a signal)/);
    expect(more.join("")).toBe(
      unmet === null ? "" : `${unmet}. The action itself was done: find out why, then go on.`,
    );
  });

  it("that no tool knows is refused before anything is done", async () => {
    const { text } = await use("write_file", { path: "b.ts", content: "", expect: { exit_code: 0 } });
    expect(text).toMatch(/^Invalid arguments:/);
    expect(await workspace.context.files.read("b.ts")).toBeNull();
  });
});

describe("write_file over a file that is there", () => {
  it("is refused until the agent has read it as it is", async () => {
    await workspace.context.files.write("a.ts", "a person's work\n");
    const blind = await use("write_file", { path: "./a.ts", content: "mine" });
    expect(blind).toMatchObject({
      isError: true,
      text: expect.stringMatching(/exists and you have not read it. Read it first/),
    });
    await use("read_file", { path: "a.ts", limit: 1 });
    await use("run", { command: "echo more >> a.ts" });
    const stale = await use("write_file", { path: "a.ts", content: "mine" });
    expect(stale).toMatchObject({
      isError: true,
      text: expect.stringMatching(/changed since you last read it/),
    });
    expect(await read("a.ts")).toBe("a person's work\nmore\n");
    await use("read_file", { path: "src/../a.ts" });
    expect((await use("write_file", { path: "./a.ts", content: "mine" })).text).toMatch(/^Replaced/);
  });

  it("needs no reading of what the agent wrote itself, nor of an empty file", async () => {
    await workspace.context.files.write("empty.ts", "");
    expect((await use("write_file", { path: "empty.ts", content: "x" })).text).toMatch(/^Replaced/);
    await use("write_file", { path: "new.ts", content: "one" });
    await use("edit_file", { path: "new.ts", old_text: "one", new_text: "two" });
    expect((await use("write_file", { path: "new.ts", content: "three" })).text).toMatch(/^Replaced/);
  });

  it("counts what another agent has read for nothing", async () => {
    await use("write_file", { path: "a.ts", content: "one" });
    workspace.context.seen = createSeenFiles();
    expect((await use("write_file", { path: "a.ts", content: "two" })).isError).toBe(true);
  });
});

describe("edit_file", () => {
  it("works on the file as it is, and says when that is news to the agent", async () => {
    await use("write_file", { path: "a.ts", content: "one\n" });
    await use("run", { command: "echo two >> a.ts" });
    const { text } = await use("edit_file", { path: "a.ts", old_text: "one", new_text: "1" });
    expect(text).toContain("The file had changed since you last read it.");
    expect(await read("a.ts")).toBe("1\ntwo\n");
    expect((await use("edit_file", { path: "a.ts", old_text: "two", new_text: "2" })).text).not.toContain(
      "had changed",
    );
  });
});
