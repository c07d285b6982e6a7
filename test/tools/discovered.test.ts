import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRegistry, discoverTools, ToolOptions } from "../../src/tools/index.js";
import { inputSchemaOf } from "../../src/tools/json-schema.js";
import { openLocalWorkspace } from "../support/local-workspace.js";

const NEVER = new AbortController().signal;
let workspace: Awaited<ReturnType<typeof openLocalWorkspace>>;
beforeEach(async () => {
  workspace = await openLocalWorkspace();
});
afterEach(() => workspace.close());

const OBJECT = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };

/** A repository's program that lists these declarations, and answers a call with its name and input. */
async function discover(declarations: unknown, callCommand = "node tools.mjs --call") {
  await workspace.context.files.write(
    "list.json",
    typeof declarations === "string" ? declarations : JSON.stringify(declarations),
  );
  await workspace.context.files.write(
    "tools.mjs",
    `import { readFileSync } from "node:fs";
     const name = process.argv.at(-1);
     console.error("a warning");
     if (name === "fails") { console.log("half"); process.exit(3); }
     if (name !== "silent") console.log(process.argv.slice(2).join(" "), readFileSync(0, "utf8"));`,
  );
  const discoveryCommand = "echo noise >&2; cat list.json";
  return discoverTools({ box: workspace.context.box, discoveryCommand, callCommand }, NEVER);
}

async function call(
  found: Awaited<ReturnType<typeof discover>>,
  name: string,
  input: Record<string, unknown>,
) {
  const calls = [{ id: "t", name, input, problem: null }];
  const [result] = await createRegistry(found.tools).execute(calls, workspace.context, NEVER);
  return { text: result?.content ?? "", isError: result?.is_error === true };
}

describe("discovered tools", () => {
  it.each([
    ["a list", (list: unknown[]) => list],
    ["function_declarations", (list: unknown[]) => ({ function_declarations: list })],
    ["functionDeclarations", (list: unknown[]) => ({ functionDeclarations: list })],
    ["an answer of MCP", (list: unknown[]) => ({ tools: list })],
  ])(
    "RT-83: come as %s, with a schema under any of its names, which the model is shown",
    async (_what, wrap) => {
      const list = ["parameters", "parametersJsonSchema", "input_schema", "inputSchema"].map((key) => ({
        name: `by-${key}`,
        description: "Does it.",
        [key]: { ...OBJECT, $schema: "x" },
      }));
      const { tools, problems } = await discover(wrap(list));
      expect(problems).toEqual([]);
      expect(createRegistry(tools).specs()).toEqual(
        ["input_schema", "inputSchema", "parameters", "parametersJsonSchema"].sort().map((key) => ({
          name: `ext_by-${key}`,
          description: "Does it.",
          inputSchema: OBJECT,
        })),
      );
    },
  );

  it("RT-82: are called with a command of several words, their name last and the input on standard input", async () => {
    const found = await discover([{ name: "x", parameters: OBJECT }, { name: "bare" }]);
    expect(await call(found, "ext_x", { a: "it's", b: [1] })).toEqual({
      text: `--call x {"a":"it's","b":[1]}\n`,
      isError: false,
    });
    expect((await call(found, "ext_bare", {})).text).toBe("--call bare {}\n");
    expect((await call(found, "ext_x", { a: 1 })).text).toMatch(/^Invalid arguments:/);
  });

  it("RT-80: that say nothing are said to, and only an exit code is a failure, told with all output", async () => {
    const found = await discover([{ name: "silent" }, { name: "fails" }]);
    expect(await call(found, "ext_silent", {})).toEqual({ text: "(no output)", isError: false });
    expect(await call(found, "ext_fails", {})).toEqual({
      text: "`node tools.mjs --call 'fails'` failed with exit code 3: half\na warning",
      isError: true,
    });
  });

  it("that cannot be used are left out one by one, and named", async () => {
    const { tools, problems } = await discover([
      { name: "good" },
      { name: "bad name" },
      { name: "list", parameters: { type: "array" } },
      { name: "ref", parameters: { type: "object", properties: { a: { $ref: "#/$defs/gone" } } } },
      { name: "good" },
      null,
      { name: "reads", annotations: { readOnlyHint: true } },
    ]);
    expect(tools.map(({ name, kind }) => [name, kind])).toEqual([
      ["ext_good", "write"],
      ["ext_reads", "read"],
    ]);
    expect(problems).toEqual([
      expect.stringMatching(/"bad name" is left out: .*must be 1 to 60/),
      expect.stringMatching(/"list" is left out: The input schema cannot be used: its type is "array"/),
      expect.stringMatching(/"ref" is left out: .*Reference not found/),
      expect.stringMatching(/"good" is left out: another tool has this name/),
      expect.stringMatching(/number 6 is left out/),
    ]);
  });

  it("are none where the command fails or prints something else, and the reason is told", async () => {
    for (const [declarations, reason] of [
      ["not json", /gave no tools: .*not valid JSON|Unexpected token/],
      ['"text"', /neither a list of declarations/],
      [`[${" ".repeat(1_100_000)}]`, /more than 1000000 characters/],
    ] as const) {
      const { tools, problems } = await discover(declarations);
      expect(tools).toEqual([]);
      expect(problems).toEqual([expect.stringMatching(reason)]);
    }
    const box = workspace.context.box;
    const failing = { box, discoveryCommand: "echo no such thing >&2; exit 2", callCommand: "x" };
    expect((await discoverTools(failing, NEVER)).problems).toEqual([
      expect.stringMatching(
        /^tools.discovery_command gave no tools: .* failed with exit code 2: no such thing$/,
      ),
    ]);
    expect(await discoverTools({ ...failing, discoveryCommand: " " }, NEVER)).toEqual({
      tools: [],
      problems: [],
    });
  });

  it("are not looked for when the run is stopped", async () => {
    const stopped = AbortSignal.abort(new Error("stop"));
    const source = { box: workspace.context.box, discoveryCommand: "sleep 9", callCommand: "x" };
    await expect(discoverTools(source, stopped)).rejects.toThrow();
  });
});

describe("the schema of somebody else", () => {
  const fits = (jsonSchema: unknown, input: unknown) =>
    inputSchemaOf(jsonSchema).schema.safeParse(input).success;

  it.each<[unknown, unknown, boolean]>([
    [OBJECT, { a: "x", more: 1 }, true],
    [OBJECT, {}, false],
    [{ ...OBJECT, additionalProperties: false }, { a: "x", more: 1 }, false],
    [undefined, { any: 1 }, true],
    [true, {}, true],
    [{ type: "OBJECT", properties: { a: { type: "INTEGER" } } }, { a: 1 }, true],
    [{ type: "OBJECT", properties: { a: { type: "INTEGER" } } }, { a: "1" }, false],
    [
      { properties: { type: { type: "string" }, pattern: { type: "number" } } },
      { type: "x", pattern: 1 },
      true,
    ],
    [
      { properties: { type: { type: "string" }, pattern: { type: "number" } } },
      { type: "x", pattern: "1" },
      false,
    ],
    [{ properties: { a: { type: ["string", "null"] } } }, { a: null }, true],
    [{ properties: { a: { $ref: "#/$defs/n" } }, $defs: { n: { type: "integer" } } }, { a: "1" }, false],
    // What zod reads more strictly, or not at all, is for the tool to check.
    [
      { properties: { a: { type: "string", format: "date-time" } } },
      { a: "2026-01-01T00:00:00+02:00" },
      true,
    ],
    [{ properties: { a: { type: "string", pattern: "(a+)+$" } } }, { a: `${"a".repeat(50)}b` }, true],
    [{ ...OBJECT, if: {}, else: {}, dependentRequired: {}, unevaluatedProperties: false }, { a: "x" }, true],
    [{ oneOf: [{ required: ["a"] }, { required: ["b"] }] }, { a: "x" }, true],
    [
      {
        oneOf: [
          { type: "object", format: "x" },
          { type: "object", format: "y" },
        ],
      },
      { a: "x" },
      true,
    ],
    [{ patternProperties: { "^x": {} }, additionalProperties: false }, { x1: 1 }, true],
  ])("%j makes of %j: %s", (jsonSchema, input, expected) => {
    expect(fits(jsonSchema, input)).toBe(expected);
  });

  it("adds nothing to an input", () => {
    const { schema } = inputSchemaOf({ properties: { a: { type: "string", default: "x" } } });
    expect(schema.parse({ b: 1 })).toEqual({ b: 1 });
  });

  it("is shown as it came, but as an object that every provider takes", () => {
    const { spec } = inputSchemaOf({
      description: "D",
      anyOf: [{ required: ["a"] }],
      properties: { a: { type: "STRING", pattern: "x", enum: ["OBJECT"] } },
    });
    expect(spec).toEqual({
      type: "object",
      description: 'D Also: {"anyOf":[{"required":["a"]}]}',
      properties: { a: { type: "string", pattern: "x", enum: ["OBJECT"] } },
    });
  });

  it.each([
    ["text", /not an object/],
    [{ type: "string" }, /its type is "string"/],
    [{ properties: { a: { type: "strnig" } } }, /strnig/],
    [{ properties: { a: { $ref: "https://example.org/x.json" } } }, /example.org|[Rr]ef/],
    [{ description: "x".repeat(40_000) }, /more than 30000 characters/],
  ])("%j is refused", (jsonSchema, message) => {
    expect(() => inputSchemaOf(jsonSchema)).toThrow(message);
  });
});

describe("tools: of .github/agent.yml", () => {
  it("is empty by default, and wants both commands or neither", () => {
    expect(ToolOptions.parse({})).toEqual({ discovery_command: "", call_command: "", exclude: [] });
    expect(ToolOptions.safeParse({ discovery_command: "x" }).error?.message).toContain("set both or neither");
  });
});
