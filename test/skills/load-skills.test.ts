import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadSkills, type Skills } from "../../src/skills/index.js";

const FRONTMATTER = {
  name: "design-manager",
  description: "Turns a requirement into a design.",
  tier: "planner",
  call_type: "plan",
  tools: "[read_file, search]",
  max_turns: "15",
  max_minutes: "5",
};

let folder = "";
let skills: Skills;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "accrue-skills-"));
  await mkdir(join(folder, "agents"));
  await mkdir(join(folder, "prompts"));
  skills = loadSkills(pathToFileURL(folder));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (path: string, text: string) => writeFile(join(folder, path), text);
async function writeAgent(changes: Record<string, string | null>, body = "Design {{title}}.") {
  const lines = Object.entries({ ...FRONTMATTER, ...changes })
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key}: ${value}`);
  await write("agents/design-manager.md", `---\n${lines.join("\n")}\n---\n\n${body}\n`);
}

describe("an agent", () => {
  it("is read from its Markdown file", async () => {
    await writeAgent({});
    expect(skills.agent("design-manager")).toEqual({
      name: "design-manager",
      description: "Turns a requirement into a design.",
      tier: "planner",
      callType: "plan",
      tools: ["read_file", "search"],
      maxTurns: 15,
      maxMinutes: 5,
      prompt: "Design {{title}}.",
      file: join(folder, "agents/design-manager.md"),
    });
  });

  it("is read once", async () => {
    await writeAgent({});
    const first = skills.agent("design-manager");
    await writeAgent({ max_turns: "99" });
    expect(skills.agent("design-manager")).toBe(first);
  });

  it.each<[string, Record<string, string | null>]>([
    ["tier", { tier: "cheap" }],
    ["max_turns", { max_turns: "0" }],
    ["description", { description: null }],
    ["max_turn", { max_turn: "3" }],
    ["must be the file's", { name: "other" }],
    ["YAML", { tools: "[read_file" }],
  ])("with a wrong frontmatter is refused with file and reason (%s)", async (reason, changes) => {
    await writeAgent(changes);
    expect(() => skills.agent("design-manager")).toThrow(
      expect.objectContaining({
        code: "CONFIG_INVALID",
        message: expect.stringMatching(new RegExp(`agents/design-manager\\.md[^]*${reason}`)),
      }),
    );
  });

  it("without frontmatter, without a body or without a file is refused", async () => {
    await write("agents/design-manager.md", "Design.");
    expect(() => skills.agent("design-manager")).toThrow(/begin the file with frontmatter/);
    await writeAgent({}, "");
    expect(() => skills.agent("design-manager")).toThrow(/instructions/);
    expect(() => skills.agent("nobody")).toThrow(/agents\/nobody\.md/);
    expect(() => skills.agent("../prompts/x")).toThrow(/not a name/);
  });
});

describe("placeholders", () => {
  it("are filled, and braces inside values stay text", async () => {
    await write("prompts/task.md", "{{title}}: {{ body }} {{title}}\n");
    const text = skills.prompt("task", { title: "$& {{body}}", body: "b" });
    expect(text).toBe("$& {{body}}: b $& {{body}}");
  });

  it("leave other braces alone", async () => {
    await write("prompts/task.md", "{% if x %} {{ x.y }} {{}} {{title}}");
    expect(skills.prompt("task", { title: "t" })).toBe("{% if x %} {{ x.y }} {{}} t");
  });

  it("without a value, and values without a placeholder, throw with the name", async () => {
    await write("prompts/task.md", "{{title}}");
    expect(() => skills.prompt("task", {})).toThrow(/\{\{title\}\}, which has no value/);
    expect(() => skills.prompt("task", { title: "t", extra: "x" })).toThrow(/no place for extra/);
    await write("prompts/odd.md", "{{constructor}}");
    expect(() => skills.prompt("odd", {})).toThrow(/constructor/);
  });

  it("of an agent's own body are filled the same way", async () => {
    await writeAgent({});
    const agent = skills.agent("design-manager");
    expect(skills.fill(agent, { title: "CSV" })).toBe("Design CSV.");
    expect(() => skills.fill(agent, {})).toThrow(/design-manager\.md/);
  });
});
