import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { AccrueError } from "../../src/shared/index.js";
import { builtinTools, createRegistry, defineTool, type Tool, type ToolKind } from "../../src/tools/index.js";
import { openLocalWorkspace } from "../support/local-workspace.js";

const NEVER = new AbortController().signal;
let workspace: Awaited<ReturnType<typeof openLocalWorkspace>>;
beforeEach(async () => {
  workspace = await openLocalWorkspace();
});
afterEach(() => workspace.close());

let count = 0;
const call = (name: string, input: Record<string, unknown> = {}) => ({
  id: `toolu_${++count}`,
  name,
  input,
  problem: null as string | null,
});

/** A tool that notes when it begins and ends. */
function noting(name: string, kind: ToolKind, log: string[], ms = 10) {
  return defineTool({
    name,
    description: name,
    kind,
    input: z.strictObject({ tag: z.string() }),
    async run({ tag }) {
      log.push(`+${tag}`);
      await new Promise((soon) => setTimeout(soon, ms));
      log.push(`-${tag}`);
      return tag;
    },
  });
}

function failing(error: () => Promise<string> | string) {
  return defineTool({
    name: "fail",
    description: "Fails.",
    kind: "write",
    input: z.strictObject({}),
    timeoutMs: 40,
    run: async () => error(),
  });
}

describe("specs", () => {
  it("are sorted by name and are schemas of objects", () => {
    const specs = createRegistry(builtinTools()).specs();
    expect(specs.map(({ name }) => name)).toEqual([
      "edit_file",
      "list_files",
      "note",
      "read_file",
      "run",
      "search",
      "todo",
      "write_file",
    ]);
    for (const { inputSchema } of specs) {
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(inputSchema).not.toHaveProperty("$schema");
    }
  });

  it("refuse two tools of one name and a name that no provider takes", () => {
    const tool = noting("same", "read", []);
    expect(() => createRegistry([tool, tool])).toThrow(/"same"/);
    expect(() => createRegistry([noting("a b", "read", [])])).toThrow(/"a b"/);
  });
});

describe("the calls of a turn", () => {
  it("run reads side by side and everything else alone, and answer in the order of the calls", async () => {
    const log: string[] = [];
    const registry = createRegistry([noting("read", "read", log), noting("write", "write", log)]);
    const calls = [
      call("read", { tag: "1" }),
      call("read", { tag: "2" }),
      call("write", { tag: "3" }),
      call("read", { tag: "4" }),
    ];
    const results = await registry.execute(calls, workspace.context, NEVER);
    expect(log.slice(0, 2).sort()).toEqual(["+1", "+2"]);
    expect(log.slice(4)).toEqual(["+3", "-3", "+4", "-4"]);
    expect(results.map(({ content }) => content)).toEqual(["1", "2", "3", "4"]);
    expect(results.map(({ tool_use_id }) => tool_use_id)).toEqual(calls.map(({ id }) => id));
  });

  it("run at most eight reads at a time", async () => {
    const log: string[] = [];
    const registry = createRegistry([noting("read", "read", log)]);
    const calls = Array.from({ length: 20 }, (_, at) => call("read", { tag: String(at) }));
    await registry.execute(calls, workspace.context, NEVER);
    let running = 0;
    const peaks = log.map((entry) => (running += entry.startsWith("+") ? 1 : -1));
    expect(Math.max(...peaks)).toBe(8);
  });

  it.each([
    ["an unknown tool", { ...call("raed"), input: {} }, 'no tool "raed". Did you mean "read"?'],
    ["invalid arguments", call("read", { tog: "x" }), "Invalid arguments"],
    ["arguments that could not be read", { ...call("read"), problem: "not JSON: {" }, "not JSON: {"],
  ])("give %s back to the model as an error", async (_what, wrong, message) => {
    const registry = createRegistry([noting("read", "read", [])]);
    const [result] = await registry.execute([wrong], workspace.context, NEVER);
    expect(result).toMatchObject({ tool_use_id: wrong.id, is_error: true });
    expect(result?.content).toContain(message);
  });

  it("give an Accrue error back to the model as an error", async () => {
    const refuses = failing(() => {
      throw new AccrueError("INPUT_INVALID", "No such row. Look again.");
    });
    const inPlace: Tool = {
      ...refuses,
      name: "fail",
      run: () => {
        throw new AccrueError("INPUT_INVALID", "No such row. Look again.");
      },
    };
    for (const tool of [refuses, inPlace]) {
      const [result] = await createRegistry([tool]).execute([call("fail")], workspace.context, NEVER);
      expect(result).toMatchObject({ content: "No such row. Look again.", is_error: true });
    }
  });

  const slow = (kind: ToolKind, work: (signal: AbortSignal) => Promise<string>) =>
    defineTool({
      name: "slow",
      description: "Slow.",
      kind,
      input: z.strictObject({}),
      timeoutMs: 30,
      run: (_input, _context, signal) => work(signal),
    });
  const fired = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

  it.each<[string, Tool, RegExp, boolean]>([
    [
      "stops",
      slow("write", (signal) => fired(signal).then(() => Promise.reject(new Error("ended")))),
      /^Timed out after 0.03 s. It was stopped and may have done a part/,
      true,
    ],
    ["goes on", slow("write", () => new Promise(() => {})), /may still be at work: look/, true],
    [
      "only reads",
      slow("read", (signal) => fired(signal).then(() => Promise.reject(new Error("ended")))),
      /^Timed out after 0.03 s.$/,
      true,
    ],
    [
      "was done all the same",
      slow("write", (signal) => fired(signal).then(() => "written")),
      /^written$/,
      false,
    ],
  ])("say what is known of a timed-out tool that %s", async (_what, tool, message, isError) => {
    const [result] = await createRegistry([tool]).execute([call("slow")], workspace.context, NEVER);
    expect(result?.content).toMatch(message);
    expect(result?.is_error === true).toBe(isError);
  });

  it("are waited for when a write is cancelled, so that nothing goes on unseen", async () => {
    const log: string[] = [];
    const stop = new AbortController();
    const tool = slow("write", async (signal) => {
      stop.abort(new Error("stop"));
      await new Promise((soon) => setTimeout(soon, 20));
      log.push(`ended, told: ${signal.aborted}`);
      throw signal.reason;
    });
    const [result] = await createRegistry([tool]).execute([call("slow")], workspace.context, stop.signal);
    expect(log).toEqual(["ended, told: true"]);
    expect(result?.content).toMatch(/^Cancelled: .* It was stopped and may have done/);
  });

  it("reject with any other error, because it is a fault of the program", async () => {
    const broken = createRegistry([
      failing(() => {
        throw new TypeError("x is undefined");
      }),
    ]);
    await expect(broken.execute([call("fail")], workspace.context, NEVER)).rejects.toThrow(TypeError);
  });

  it("RT-34: each have a result when the run is stopped after the first of three", async () => {
    const stop = new AbortController();
    const log: string[] = [];
    const stopping = failing(() => {
      stop.abort(new Error("stop"));
      return "done";
    });
    const registry = createRegistry([stopping, noting("write", "write", log)]);
    const calls = [call("fail"), call("write", { tag: "2" }), call("write", { tag: "3" })];
    const results = await registry.execute(calls, workspace.context, stop.signal);
    expect(results.map(({ is_error }) => is_error === true)).toEqual([false, true, true]);
    expect(results.slice(1).every(({ content }) => content.startsWith("Not executed"))).toBe(true);
    expect(log).toEqual([]);
  });

  it("RT-32: say so when there is no output", async () => {
    const registry = createRegistry([failing(() => " \n")]);
    const [result] = await registry.execute([call("fail")], workspace.context, NEVER);
    expect(result).toEqual({ type: "tool_result", tool_use_id: expect.any(String), content: "(no output)" });
  });

  it("cut a long output and keep all of it where read_file finds it", async () => {
    const output = Array.from({ length: 6000 }, (_, at) => `line ${at}`).join("\n");
    const registry = createRegistry([failing(() => output), ...builtinTools()]);
    const [result] = await registry.execute([call("fail")], workspace.context, NEVER);
    expect(result?.content.length).toBeLessThan(40_300);
    expect(result?.content).toContain("line 5999");
    const path = /artefact:\S+\.txt/.exec(result?.content ?? "")?.[0] ?? "";
    expect(await readFile(join(workspace.context.artefacts, path.slice(9)), "utf8")).toBe(output);
    const [read] = await registry.execute(
      [call("read_file", { path, offset: 3000, limit: 1 })],
      workspace.context,
      NEVER,
    );
    expect(read?.content).toContain("3000\tline 2999");
  });
});
