import { execFileSync } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtinTools, createRegistry } from "../../src/tools/index.js";
import { localBox, openLocalWorkspace } from "../support/local-workspace.js";

const NEVER = new AbortController().signal;
const registry = createRegistry(builtinTools());
let workspace: Awaited<ReturnType<typeof openLocalWorkspace>>;
beforeEach(async () => {
  workspace = await openLocalWorkspace();
});
afterEach(() => workspace.close());

async function use(name: string, input: Record<string, unknown>, box = workspace.context.box) {
  const call = { id: "t", name, input, problem: null };
  const [result] = await registry.execute([call], { ...workspace.context, box }, NEVER);
  return { text: result?.content ?? "", refused: result?.is_error === true };
}
const write = (path: string, content: string | Buffer) => workspace.context.files.write(path, content);

describe("read_file", () => {
  it("numbers the lines and says where to go on", async () => {
    await write("a.ts", "one\r\ntwo\r\nthree\r\n");
    expect((await use("read_file", { path: "a.ts" })).text).toBe("     1\tone\n     2\ttwo\n     3\tthree");
    expect((await use("read_file", { path: "a.ts", offset: 2, limit: 1 })).text).toBe(
      "     2\ttwo\n(lines 2–2 of 3; go on with offset 3)",
    );
  });

  it("shows at most 2,000 lines of at most 2,000 characters", async () => {
    await write("long.txt", `${"x".repeat(5000)}\n${"y\n".repeat(3000)}`);
    const { text } = await use("read_file", { path: "long.txt", limit: 9000 });
    expect(text).toContain("… (3000 more characters)");
    expect(text.endsWith("(lines 1–2000 of 3001; go on with offset 2001)")).toBe(true);
  });

  it.each([
    [{ path: "none.ts" }, /no file none.ts/],
    [{ path: "../secret" }, /outside/],
    [{ path: "a.ts", offset: 9 }, /has 1 lines/],
    [{ path: "a.ts", offset: 0 }, /Invalid arguments/],
    [{ path: "b.png" }, /binary/],
    [{ path: "artefact:../../etc/passwd" }, /no artefact/],
  ])("refuses %j", async (input, message) => {
    await write("a.ts", "one");
    await write("b.png", Buffer.from([137, 80, 0, 1]));
    const { text, refused } = await use("read_file", input);
    expect(refused).toBe(true);
    expect(text).toMatch(message);
  });
});

describe("write_file and list_files", () => {
  it("make, replace and list files", async () => {
    expect((await use("list_files", {})).text).toBe("(no files)");
    expect((await use("write_file", { path: "src/ü.ts", content: "ü" })).text).toBe(
      "Created src/ü.ts (2 bytes).",
    );
    expect((await use("write_file", { path: "src/ü.ts", content: "" })).text).toContain("Replaced");
    await write("b.ts", "");
    expect((await use("list_files", {})).text).toBe("b.ts\nsrc/ü.ts");
    expect((await use("list_files", { folder: "src" })).text).toBe("src/ü.ts");
  });
});

/** A box whose PATH has only these programs besides the shell's own. */
async function boxWith(...programs: string[]) {
  const bin = join(workspace.base, "bin");
  await mkdir(bin);
  for (const name of new Set(programs)) {
    await symlink(execFileSync("which", [name], { encoding: "utf8" }).trim(), join(bin, name));
  }
  return localBox(workspace.root, { PATH: bin });
}

describe.each([["rg"], ["git"], ["grep"]])("search with %s", (program) => {
  const search = async (input: Record<string, unknown>) =>
    use("search", input, await boxWith("sh", "grep", program));

  beforeEach(async () => {
    if (program === "git") execFileSync("git", ["init", "-q"], { cwd: workspace.root });
    await write("src/a.ts", "export const it's = 1;\nexport function b() {}\n");
    await write("-e.md", "an export\n");
  });

  it("gives path, line and text", async () => {
    const { text } = await search({ pattern: "^export (const|let)" });
    expect(text).toBe("src/a.ts:1:export const it's = 1;");
  });

  it("takes quotes, dashes and shell characters as they are", async () => {
    expect((await search({ pattern: "it's" })).text).toContain("src/a.ts:1");
  });

  it("cannot be made to run anything", async () => {
    const { text } = await search({
      pattern: "'; touch pwned; echo '$(touch pwned)`touch pwned`",
      literal: true,
    });
    expect(text).toBe("(no matches)");
    expect(await workspace.context.files.read("pwned")).toBeNull();
  });

  it("searches for plain text and inside a folder", async () => {
    expect((await search({ pattern: "b() {", literal: true, folder: "src" })).text).toContain("src/a.ts:2");
  });
});

describe("search", () => {
  it("takes a pattern and a folder that begin with a dash as they are", async () => {
    await write("-e.md", "--help\n");
    expect((await use("search", { pattern: "--help", folder: "-e.md" })).text).toBe("-e.md:1:--help");
  });

  it("cuts many and long matches and says so", async () => {
    await write("a.txt", `${"x".repeat(1000)}\n`.repeat(150));
    const lines = (await use("search", { pattern: "x" })).text.split("\n");
    expect(lines).toHaveLength(101);
    expect(lines[0]?.length).toBeLessThan(310);
    expect(lines.at(-1)).toBe("(50 more matches: narrow the pattern or the folder)");
  });

  it.each([
    [{ pattern: "(" }, /failed \(exit code 2\)/],
    [{ pattern: "a", folder: "../x" }, /outside/],
    [{ pattern: "a", folder: "/etc" }, /outside/],
    [{ pattern: "a\nb" }, /one line/],
  ])("refuses %j", async (input, message) => {
    const { text, refused } = await use("search", input);
    expect(refused).toBe(true);
    expect(text).toMatch(message);
  });
});

describe("run", () => {
  it("shows exit code and output, and a failing command is a result", async () => {
    expect(await use("run", { command: "echo out; echo err >&2; exit 3" })).toEqual({
      text: "exit code 3\nout\nerr",
      refused: false,
    });
    expect((await use("run", { command: "true" })).text).toBe("exit code 0\n(no output)");
  });

  it("RT-92: clamps a senseless time limit, and says when it was reached", async () => {
    const { text } = await use("run", { command: "echo begun; sleep 20", timeout_seconds: -1 });
    expect(text).toBe("timed out after 1 s and was ended\nbegun");
  });
});
