import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtinTools, createRegistry } from "../../src/tools/index.js";
import { openLocalWorkspace } from "../support/local-workspace.js";

const NEVER = new AbortController().signal;
const registry = createRegistry(builtinTools());
let workspace: Awaited<ReturnType<typeof openLocalWorkspace>>;
beforeEach(async () => {
  workspace = await openLocalWorkspace();
});
afterEach(() => workspace.close());

async function use(name: string, input: Record<string, unknown>) {
  const call = { id: "t", name, input, problem: null };
  const [result] = await registry.execute([call], workspace.context, NEVER);
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

  it.each([
    ["colours", String.raw`\033[31mred\033[0m \033]0;title\007end`, "red end"],
    ["a progress bar", String.raw`10%%\r50%%\r100%%\r\ndone\r\n`, "100%\ndone"],
    [
      "a few odd bytes in a text",
      String.raw`a long enough line \001 of text \377\n`,
      "a long enough line \ufffd of text \ufffd",
    ],
  ])("shows %s as a terminal would", async (_what, printed, shown) => {
    expect((await use("run", { command: `printf '${printed}'` })).text).toBe(`exit code 0\n${shown}`);
  });

  it("says what binary output is instead of showing it", async () => {
    const { text } = await use("run", { command: "head -c 3000 /dev/zero" });
    expect(text).toBe(
      "exit code 0\n(binary output of 3000 characters, not shown: look at it with file, od -c or strings)",
    );
  });
});
