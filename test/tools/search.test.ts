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
const write = (path: string, content: string) => workspace.context.files.write(path, content);

/** A box whose PATH has only these programs besides the shell's own. */
async function boxWith(...programs: string[]) {
  const bin = join(workspace.base, "bin");
  await mkdir(bin, { recursive: true });
  for (const name of new Set(programs)) {
    const program = execFileSync("which", [name], { encoding: "utf8" }).trim();
    await symlink(program, join(bin, name)).catch(() => {});
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
    expect(text).toMatch(/^\(no matches/);
    expect(await workspace.context.files.read("pwned")).toBeNull();
  });

  it("finds the same as the other programs", async () => {
    const lines = [
      "const $scope = a[0];",
      "if (x) { return {}; }",
      "Größe = 10.5 // \u518d\u8a66\u884c",
      "a-b_c]d^e\\f\tg",
      "interface{} foo.bar()",
      "fooo Foo  foo",
      '"quoted" {{ jinja }} 5% | y',
    ];
    await write("src/t.txt", lines.map((line) => `${line}\n`).join(""));
    await write("src/b/z.txt", "foo\n");
    await write("src/b.txt", "foo\n");
    const found = async (pattern: string) => {
      const { text } = await search({ pattern, folder: "src" });
      return text.startsWith("(no matches")
        ? []
        : text.split("\n").map((line) => /^(?:src\/t\.txt:)?(\S+?):/.exec(line)?.[1]);
    };
    for (const [pattern, ...expected] of [
      ["\\$scope", "1"],
      ["$scope"],
      ["\\d+\\.\\d", "3"],
      ["\\bFoo\\b", "6"],
      ["\\<Foo\\>", "6"],
      ["(?i)^FOOO\\s", "6"],
      ["fo{3}", "6"],
      ["interface{", "5"],
      ["\\{ return \\{", "2"],
      ["{{ \\w+ }}", "7"],
      ["[^\\w\\s]\\]"],
      ["c]d", "4"],
      ["[]^]d\\^", "4"],
      ["[\\]x]d[\\^]e", "4"],
      ["a[-x]b", "4"],
      ["[^-]b_"],
      ["[\\w-]+\\]", "1", "4"],
      ["e\\\\f", "4"],
      ["f\\tg", "4"],
      ["[\\t]g", "4"],
      ["foo\\.bar\\(\\)", "5"],
      ["Gr.{2}e", "3"],
      ["\\w+ß", "3"],
      ["[öx]ß", "3"],
      ["[\u518d\u8a66\u884c]{3}", "3"],
      ['\\"quoted\\"', "7"],
      ["\\/\\/", "3"],
      ["(?:jinja|scope)\\b", "1", "7"],
      ["j.*?a", "7"],
      ["[[:upper:]]oo", "6"],
      ["[[:]", "1"],
      ["%|\\|", "7"],
      ["[|]", "7"],
      ["[[]", "1"],
      ["^foo$", "src/b.txt", "src/b/z.txt"],
    ]) {
      expect.soft([pattern, ...(await found(pattern ?? ""))]).toEqual([pattern, ...expected]);
    }
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
    [{ pattern: "(" }, /a \( has no \)/],
    [{ pattern: "a)" }, /a \) has no \(/],
    [{ pattern: "*a" }, /nothing before \* to repeat/],
    [{ pattern: "a|+" }, /nothing before \+/],
    [{ pattern: "a{2}{3}" }, /nothing before \{ to repeat/],
    [{ pattern: "a{3,2}" }, /ends before it begins/],
    [{ pattern: "a{1,9999}" }, /further than 255/],
    [{ pattern: "[a" }, /a \[ has no \]/],
    [{ pattern: "[z-a]" }, /no range/],
    [{ pattern: "[\u4e00-\u9fff]" }, /no range/],
    [{ pattern: "(?<=a)b" }, /look-around/],
    [{ pattern: "(a)\\1" }, /\\1 is not known/],
    [{ pattern: "\\p{L}" }, /\\p is not known/],
    [{ pattern: "a\\" }, /ends with a/],
    [{ pattern: "a", folder: "nowhere" }, /failed \(exit code \d+\)/],
    [{ pattern: "a", folder: "../x" }, /outside/],
    [{ pattern: "a", folder: "/etc" }, /outside/],
    [{ pattern: "a\nb" }, /one line/],
  ])("refuses %j", async (input, message) => {
    const { text, refused } = await use("search", input);
    expect(refused).toBe(true);
    expect(text).toMatch(message);
  });
});
