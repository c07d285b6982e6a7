import { describe, expect, it } from "vitest";
import { AccrueError } from "../../src/shared/index.js";
import { SHIPPED, withRepository } from "../support/skill-sources.js";

const agentFile = (name: string, head = "", body = "Look for {{language}} and {{this}}.") =>
  `---\nname: ${name}\ndescription: Looks at migrations.\n${head}---\n${body}\n`;
const at = (name: string) => `.agents/agents/${name}.md`;
const one = (name: string, head?: string) => withRepository({ [at(name)]: agentFile(name, head) });

describe("a repository's own agent", () => {
  it("reads, takes a task and gives a result unless it says otherwise, and is offered to who calls agents", () => {
    const skills = one("migrations");
    expect(skills.problems).toEqual([]);
    const agent = skills.agent("migrations");
    expect(agent).toMatchObject({ origin: "repository", writes: false, tier: "executor", maxTurns: 15 });
    expect(agent.input?.safeParse({ task: "Look." }).success).toBe(true);
    expect(agent.input?.safeParse({}).success).toBe(false);
    expect(agent.output?.safeParse({ result: "None." }).success).toBe(true);
    expect(skills.agent("design-manager").subagents).toEqual(["codebase-investigator", "migrations"]);
    expect(skills.agent("implementation-executor").subagents).toContain("migrations");
    expect(skills.agent("requirement-manager").subagents).toEqual([]);
    expect(SHIPPED.agent("design-manager").subagents).toEqual(["codebase-investigator"]);
  });

  it("that writes is never offered to an agent that only reads", () => {
    const skills = one("migrations", "tools: [read_file, edit_file]\n");
    expect(skills.agent("design-manager").subagents).not.toContain("migrations");
    expect(skills.agent("implementation-executor").subagents).toContain("migrations");
    const asked = one("migrations", "tools: [run]\nused_by: [design-manager]\n");
    expect(asked.problems[0]?.message).toMatch(/used_by names design-manager, which only reads/);
    expect(asked.agents.has("migrations")).toBe(false);
  });

  it("with the tools of others only reads, as long as none of them is named", () => {
    const skills = one("migrations", "tools: [read_file, 'mcp_*', 'ext_*']\n");
    expect(skills.agent("migrations").writes).toBe(false);
    expect(one("migrations", "tools: ['mcp_jira_*']\n").agent("migrations").writes).toBe(true);
    expect(skills.agent("design-manager").writes).toBe(false);
  });

  it("is left out when one of its tools cannot be there", () => {
    const checkTools = ([tool = ""]: readonly string[]) => {
      if (tool === "red_file") throw new AccrueError("CONFIG_INVALID", "red_file names no tool.");
    };
    const files = { [at("migrations")]: agentFile("migrations", "tools: [red_file]\n") };
    const skills = withRepository(files, { checkTools });
    expect(skills.problems).toEqual([{ file: at("migrations"), message: "red_file names no tool." }]);
    expect(skills.agents.has("migrations")).toBe(false);
  });

  it("is offered to agents that exist, and is offered none itself", () => {
    const typo = one("migrations", "used_by: [design-manger]\n");
    expect(typo.problems[0]?.message).toBe('used_by names "design-manger": did you mean design-manager?');
    const outer = one("migrations", "agents: [codebase-investigator]\n");
    expect(outer.problems[0]?.message).toMatch(/^agents cannot stand here/);
    expect([...typo.agents.keys(), ...outer.agents.keys()]).not.toContain("migrations");
    const none = one("migrations", "used_by: []\n");
    expect(none.problems).toEqual([]);
    expect([...none.agents.values()].flatMap(({ subagents }) => subagents)).not.toContain("migrations");
  });

  it("takes no name of a shipped agent, of a tool or of what the bot can be asked for", () => {
    const skills = withRepository(
      {
        [at("design-manager")]: agentFile("design-manager", "tools: ['*']\n"),
        [at("search")]: agentFile("search"),
      },
      { taken: ["search"] },
    );
    expect(skills.agent("design-manager")).toEqual(SHIPPED.agent("design-manager"));
    expect(skills.problems.map(({ file }) => file)).toEqual([at("design-manager"), at("search")]);
    expect(skills.problems[0]?.message).toContain("is taken by Accrue itself");
  });

  it("is told the run's language; other braces are its author's", () => {
    const skills = one("migrations");
    const facts = { tools: [], instructions: "", kind: null, skillTokens: 0, language: "zh" } as const;
    expect(skills.systemPrompt(skills.agent("migrations"), facts)).toMatch(
      /Look for Chinese .* and \{\{this\}\}\.$/,
    );
  });

  it.each<[string, string]>([
    ["maxturns is no key here; did you mean max_turns", "maxturns: 3\n"],
    ["max_minutes: Too big", "max_minutes: 100000\n"],
    ["Alias resolution is disabled", "input: &a { type: object }\noutput: *a\n"],
    ["Alias resolution is disabled", "x: &a [1,1]\ny: &b [*a,*a]\nz: [*b,*b,*b]\n"],
    [
      "input uses pattern, which is not taken",
      "input: { properties: { a: { type: string, pattern: '(a+)+$' } } }\n",
    ],
    [
      "output uses \\$ref",
      "output: { $defs: { a: { $ref: '#/$defs/a' } }, properties: { a: { $ref: '#/$defs/a' } } }\n",
    ],
    ["input is no JSON Schema", "input: { if: { type: object } }\n"],
    ["output has to describe an object", "output: { type: array }\n"],
    ["frontmatter is not valid YAML", `tools: ${"[".repeat(5000)}\n`],
    ["Map keys must be unique at line 4, column 1. Text", "description: twice\n"],
    ["__proto__ is no key", "__proto__: { writes: false }\n"],
  ])("that is broken is left out and said: %s", (message, head) => {
    const skills = one("migrations", head);
    expect(skills.problems).toEqual([{ file: at("migrations"), message: expect.stringMatching(message) }]);
    expect(skills.agents.has("migrations")).toBe(false);
    expect(skills.agent("design-manager").subagents).toEqual(["codebase-investigator"]);
  });

  it("may have a property called pattern, and values that look like keywords", () => {
    const head =
      "input: { properties: { pattern: { enum: [$ref], default: { $ref: x } } }, required: [pattern] }\n";
    const skills = one("migrations", head);
    expect(skills.problems).toEqual([]);
    expect(skills.agent("migrations").input?.safeParse({ pattern: "$ref" }).success).toBe(true);
  });

  it("that is huge, in a deeper folder, or one of too many is not taken", () => {
    const many = Array.from({ length: 302 }, (_, index) => `a${index}`);
    const skills = withRepository({
      [at("A")]: agentFile("A", "", "x".repeat(70_000)),
      ".agents/agents/deep/er.md": agentFile("er"),
      ...Object.fromEntries(many.map((name) => [at(name), agentFile(name)])),
    });
    const own = [...skills.agents.values()].filter(({ origin }) => origin === "repository");
    expect(own).toHaveLength(300);
    expect(skills.problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/has 70\d+ characters, more than 64000/),
      expect.stringContaining("more than 300 agents"),
      expect.stringContaining("more than 300 agents"),
    ]);
  });
});
