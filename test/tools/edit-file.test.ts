import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtinTools, createRegistry } from "../../src/tools/index.js";
import { openLocalWorkspace } from "../support/local-workspace.js";

let workspace: Awaited<ReturnType<typeof openLocalWorkspace>>;
beforeEach(async () => {
  workspace = await openLocalWorkspace();
});
afterEach(() => workspace.close());

async function edit(file: string | Buffer, old_text: string, new_text: string) {
  const { context } = workspace;
  await context.files.write("a.txt", file);
  const call = { id: "t", name: "edit_file", input: { path: "a.txt", old_text, new_text }, problem: null };
  const [result] = await createRegistry(builtinTools()).execute(
    [call],
    context,
    new AbortController().signal,
  );
  const bytes = await context.files.read("a.txt");
  return { said: result?.content ?? "", refused: result?.is_error === true, text: bytes?.toString(), bytes };
}

describe("edit_file replaces", () => {
  it.each([
    ["RT-01: $$", "a = 1;\n", "1", "$$"],
    ["RT-02: $' and $&", "a = 1;\n", "1", "'^[sv]d[a-z]$' $& $1 $`"],
    ["RT-04: a template with \\n", "x = `${from}..${to}\\n`;\n", "`${from}..${to}\\n`", "`${to}`"],
    ["RT-14: JSX and Jinja", "<a b={{c: 1}}>{% if x %}\n", "{{c: 1}}>{% if x %}", "{{c: 2}}>{% if y %}"],
  ])("%s literally", async (_id, file, old, fresh) => {
    expect((await edit(file, old, fresh)).text).toBe(file.split(old).join(fresh));
  });

  it("RT-05: a text with LF in a file with CRLF, and writes CRLF", async () => {
    const { text, said } = await edit("a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\nz\n");
    expect(text).toBe("x\r\ny\r\nz\r\nc\r\n");
    expect(said).toContain("line ends");
  });

  it("inside one line of a file with CRLF, and writes CRLF", async () => {
    expect((await edit("a\r\nb\r\n", "b", "b\nc")).text).toBe("a\r\nb\r\nc\r\n");
    expect((await edit("a\r\nb\r\n", "\nb", "\nc\nd")).text).toBe("a\r\nc\r\nd\r\n");
  });

  it("in a file with both line ends only the one that is there", async () => {
    expect((await edit("a\r\nb\nc\r\n", "b\nc", "x\ny")).text).toBe("a\r\nx\ny\r\n");
  });

  it("RT-07: at the first line of a file with a byte order mark, which stays", async () => {
    expect((await edit("\ufeffa\nb\n", "a\n", "x\n")).text).toBe("\ufeffx\nb\n");
    expect((await edit("\ufeffa\nb\n", "\ufeffa\n", "x\n")).text).toBe("\ufeffx\nb\n");
    expect((await edit("a\nb\n", "\ufeffa\n", "x\n")).text).toBe("x\nb\n");
  });

  it("whole lines that differ in trailing white space only", async () => {
    const { text, said } = await edit("if x: \n  y\t\nz\n", "if x:\n  y\n", "if q:\n  r\n");
    expect(text).toBe("if q:\n  r\nz\n");
    expect(said).toContain("trailing white space");
  });

  it("with a last line that ends in a letter of bytes like a space", async () => {
    expect((await edit("voilà\nx \n", "voil\u00e0\nx\n", "y\n")).text).toBe("y\n");
    expect((await edit("voilà\nx \n", "voil\u00c3\nx\n", "y\n")).refused).toBe(true);
  });

  it("and leaves every byte outside alone, valid UTF-8 or not", async () => {
    const file = Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(" old "), Buffer.from([0xc3])]);
    const { bytes } = await edit(file, "old", "neu");
    expect(bytes).toEqual(
      Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(" neu "), Buffer.from([0xc3])]),
    );
  });

  it("exactly the span, whatever stands around it", async () => {
    const part = fc.string({ unit: "grapheme", maxLength: 20 }).filter((text) => !text.includes("\0"));
    await fc.assert(
      fc.asyncProperty(part, part, part, async (before, after, fresh) => {
        fc.pre(!/[§\ufeff]/.test(before + after + fresh));
        const { text } = await edit(`${before}§old§${after}`, "§old§", `§${fresh}§`);
        const newline = /\r\n/.test(before + after)
          ? null
          : `${before}§${fresh.replace(/\r\n/g, "\n")}§${after}`;
        if (newline !== null) expect(text).toBe(newline);
      }),
      { numRuns: 50 },
    );
  });
});

describe("edit_file refuses", () => {
  it.each([
    ["a text that is not there", "a\nb\n", "c", "x", /does not hold/],
    [
      "RT-08: a plain space for a no-break one",
      "RETRY\u00a0MAX = 3; // 再試行ｱｲｳ —\n",
      "RETRY MAX",
      "X",
      /does not hold/,
    ],
    [
      "RT-10: equal first and last lines",
      "foo() {\n  a;\n}\n",
      "foo() {\n  b;\n}\n",
      "x",
      /first line is at line 1/,
    ],
    ["RT-11: an empty old text", "a\n", "", "x", /write_file/],
    ["an old text of line ends in other places", "a\nb\nb\n", "b", "x", /more than once \(lines 2, 3/],
    ["a place that overlaps itself", "aaa", "aa", "x", /more than once/],
    ["a change that is none", "a\n", "a", "a", /same/],
    ["a binary file", "a\0b", "a", "x", /binary/],
  ])("%s, and the file stays", async (...[, file, old, fresh, message]) => {
    const { refused, said, text } = await edit(file, old, fresh);
    expect(refused).toBe(true);
    expect(said).toMatch(message);
    expect(text).toBe(file);
  });

  it("RT-13: 50,000 equal lines in linear time", async () => {
    const { said } = await edit("the same line \n".repeat(50_000), "the same line\nthe same line\n", "x");
    expect(said).toMatch(/more than once/);
  });
});
