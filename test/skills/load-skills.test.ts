import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadSkills } from "../../src/skills/index.js";
import { SHIPPED } from "../support/skill-sources.js";

const FRONTMATTER = {
  name: "tester",
  description: "Writes tests.",
  tier: "planner",
  call_type: "plan",
  tools: "[read_file, search]",
  max_turns: "15",
  max_minutes: "5",
};

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "accrue-skills-"));
  await cp(new URL("../../rules/prompts", import.meta.url), join(folder, "prompts"), { recursive: true });
  await mkdir(join(folder, "agents"));
});
afterEach(() => rm(folder, { recursive: true }));

const load = () => loadSkills(pathToFileURL(`${folder}/`));
const write = (path: string, text: string) => writeFile(join(folder, path), text);
async function writeAgent(changes: Record<string, string | null>, body = "Test it.") {
  const lines = Object.entries({ ...FRONTMATTER, ...changes })
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key}: ${value}`);
  await write("agents/tester.md", `---\n${lines.join("\n")}\n---\n\n${body}\n`);
}

describe("an agent", () => {
  it("is read from its Markdown file", async () => {
    await writeAgent({});
    expect(load().agent("tester")).toEqual({
      name: "tester",
      description: "Writes tests.",
      tier: "planner",
      callType: "plan",
      tools: ["read_file", "search"],
      maxTurns: 15,
      maxMinutes: 5,
      input: null,
      output: null,
      origin: "shipped",
      writes: false,
      subagents: [],
      skills: [],
      prompt: "Test it.",
      file: "agents/tester.md",
    });
  });

  it("reads with a byte order mark and Windows line ends as the same text", async () => {
    await writeAgent({}, "One.\nTwo.");
    const plain = load().agent("tester");
    await write(
      "agents/tester.md",
      `\ufeff---\r\n${Object.entries(FRONTMATTER)
        .map(([key, value]) => `${key}: ${value}`)
        .join("\r\n")}\r\n---\r\nOne.\r\nTwo.\r\n`,
    );
    expect(load().agent("tester")).toEqual(plain);
  });

  it.each<[string, Record<string, string | null>]>([
    ["tier: Invalid option", { tier: "cheap" }],
    ["max_turns: Too small", { max_turns: "0" }],
    ["description", { description: null }],
    ["max_turn is no key here; did you mean max_turns\\?", { max_turn: "3" }],
    ["must be the file's", { name: "other" }],
    ["not valid YAML", { tools: "[read_file" }],
    ['agents names "nobody"', { agents: "[nobody]" }],
    ["input has to describe an object", { input: "{ type: string }" }],
    ["output is no JSON Schema", { output: "{ properties: { a: { type: text } } }" }],
  ])("with a wrong head is refused with file and reason: %s", async (reason, changes) => {
    await writeAgent(changes);
    expect(load).toThrow(
      expect.objectContaining({
        code: "CONFIG_INVALID",
        message: expect.stringMatching(new RegExp(`^agents/tester\\.md: .*${reason}`)),
      }),
    );
  });

  it("without frontmatter or without a body is refused; one that is not there is named with its nearest", async () => {
    await write("agents/tester.md", "Test.");
    expect(load).toThrow(/begin the file with frontmatter/);
    await writeAgent({}, "");
    expect(load).toThrow(/instructions/);
    await writeAgent({});
    expect(() => load().agent("tetser")).toThrow('There is no agent "tetser". Did you mean tester?');
  });

  it("that only reads is told from one that writes or may write", async () => {
    for (const [tools, writes] of [
      ["[list_files, note, todo]", false],
      ["[read_file, edit_file]", true],
      ["['run(npm test)']", true],
      ["['*']", true],
      ["[mcp_jira_create]", true],
    ] as const) {
      await writeAgent({ tools });
      expect([tools, load().agent("tester").writes]).toEqual([tools, writes]);
    }
  });
});

describe("what ships", () => {
  it("offers the codebase investigator, which only reads, to those who design and who build", () => {
    const investigator = SHIPPED.agent("codebase-investigator");
    expect(investigator.writes).toBe(false);
    expect(investigator.subagents).toEqual([]);
    const callers = [...SHIPPED.agents.values()].filter(({ subagents }) =>
      subagents.includes(investigator.name),
    );
    expect(callers.map(({ name }) => name)).toEqual([
      "design-manager",
      "implementation-executor",
      "test-agent",
    ]);
    expect(investigator.input?.safeParse({ question: "Where?" }).success).toBe(true);
    expect(investigator.input?.safeParse({ task: "Where?" }).success).toBe(false);
    expect(investigator.output?.safeParse({ answer: "There.", pointers: ["a.ts:1"] }).success).toBe(true);
    expect(investigator.output?.safeParse({ answer: "There." }).success).toBe(false);
  });

  it("lacks a part: the file is named", async () => {
    await rm(join(folder, "prompts/contract.md"));
    expect(load).toThrow(/prompts\/contract\.md/);
  });
});

describe("placeholders", () => {
  it("are filled, and braces inside values stay text", async () => {
    await write("prompts/job.md", "{{title}}: {{ body }} {{title}}\n");
    const text = load().prompt("job", { title: "$& {{body}}", body: "b" });
    expect(text).toBe("$& {{body}}: b $& {{body}}");
  });

  it("leave other braces alone", async () => {
    await write("prompts/job.md", "{% if x %} {{ x.y }} {{}} {{title}}");
    expect(load().prompt("job", { title: "t" })).toBe("{% if x %} {{ x.y }} {{}} t");
  });

  it("without a value, and values without a placeholder, throw with the name", async () => {
    await write("prompts/job.md", "{{title}}");
    await write("prompts/odd.md", "{{constructor}}");
    const skills = load();
    expect(() => skills.prompt("job", {})).toThrow(/\{\{title\}\}, which has no value/);
    expect(() => skills.prompt("job", { title: "t", extra: "x" })).toThrow(/no place for extra/);
    expect(() => skills.prompt("odd", {})).toThrow(/constructor/);
    expect(() => skills.prompt("none", {})).toThrow(/no prompt "none"/);
  });
});
