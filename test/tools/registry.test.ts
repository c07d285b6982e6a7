import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { AccrueError } from "../../src/shared/index.js";
import { builtinTools, createRegistry, defineTool, type ToolKind } from "../../src/tools/index.js";
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
      "read_file",
      "run",
      "search",
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
    ["an unknown tool", { ...call("raed"), input: {} }, 'no tool "raed"'],
    ["invalid arguments", call("read", { tog: "x" }), "Invalid arguments"],
    ["arguments that could not be read", { ...call("read"), problem: "not JSON: {" }, "not JSON: {"],
  ])("give %s back to the model as an error", async (_what, wrong, message) => {
    const registry = createRegistry([noting("read", "read", [])]);
    const [result] = await registry.execute([wrong], workspace.context, NEVER);
    expect(result).toMatchObject({ tool_use_id: wrong.id, is_error: true });
    expect(result?.content).toContain(message);
  });

  it("give an Accrue error and a time-out back to the model as an error", async () => {
    const refuses = failing(() => {
      throw new AccrueError("INPUT_INVALID", "No such row. Look again.");
    });
    const hangs = failing(() => new Promise(() => {}));
    for (const [tool, message] of [
      [refuses, "No such row. Look again."],
      [hangs, "Timed out after 0.04 s."],
    ] as const) {
      const [result] = await createRegistry([tool]).execute([call("fail")], workspace.context, NEVER);
      expect(result).toMatchObject({ content: message, is_error: true });
    }
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

describe("permissions", () => {
  const registry = createRegistry(builtinTools());
  const names = (allow: string[], deny: string[] = []) =>
    registry
      .filter(allow, deny)
      .specs()
      .map(({ name }) => name);

  it("are names or *, and deny wins", () => {
    expect(names(["read_file", "run", "unheard_of"])).toEqual(["read_file", "run"]);
    expect(names(["*"], ["run", "write_file", "edit_file"])).toEqual(["list_files", "read_file", "search"]);
    expect(names(["*"], ["*"])).toEqual([]);
  });

  const outcome = async (allow: string[], deny: string[], command: string) => {
    const [result] = await registry
      .filter(allow, deny)
      .execute([call("run", { command })], workspace.context, NEVER);
    return result?.is_error === true ? "refused" : "run";
  };

  it.each([
    ["echo ok", "run"],
    ["echo 'ok' more", "run"],
    ["'ech'o ok; rm -rf /", "refused"],
    ["echo", "refused"],
    ["echo okay", "refused"],
    ["true", "refused"],
    ["echo ok && touch pwned", "refused"],
    ["echo ok; touch pwned", "refused"],
    ["echo ok | tee pwned", "refused"],
    ["echo ok > pwned", "refused"],
    ["echo ok < /etc/passwd", "refused"],
    ["echo ok & touch pwned", "refused"],
    ["echo ok\ntouch pwned", "refused"],
    ["echo ok $(touch pwned)", "refused"],
    ["echo ok `touch pwned`", "refused"],
    ['echo ok "$(touch pwned)"', "refused"],
    ['echo ok "`touch pwned`"', "refused"],
    ["echo ok '$(not run)'", "run"],
    ['echo ok "a; b | c > d"', "run"],
    ["echo ok \\; touch pwned", "run"],
    ["FOO=1 echo ok", "refused"],
    ["echo ok 'open", "refused"],
    ["echo ok \\", "refused"],
  ])("run(echo ok) makes %j be %s", async (command, expected) => {
    expect(await outcome(["run(echo ok)"], [], command)).toBe(expected);
    expect(await workspace.context.files.read("pwned")).toBeNull();
  });

  it("leave all commands to plain run, but for denied beginnings", async () => {
    expect(await outcome(["run"], [], "echo a && echo b")).toBe("run");
    expect(await outcome(["run", "run(echo)"], [], "echo a && echo b")).toBe("run");
    expect(await outcome(["run"], ["run(git push)"], "git p'ush' origin")).toBe("refused");
    expect(await outcome(["run"], ["run(git push)"], "true && git push")).toBe("refused");
    expect(await outcome(["run"], ["run(git push)"], "echo git push")).toBe("run");
  });

  it("tell the model what is allowed", () => {
    const [spec] = registry.filter(["run(npm test)", "run(npm run lint)"]).specs();
    expect(spec?.description).toContain("`npm test`, `npm run lint`");
  });

  it("that are no simple command are a configuration error", () => {
    expect(() => registry.filter(["run(npm test; rm x)"])).toThrow(/run\(npm test; rm x\)/);
  });
});
