import { describe, expect, it } from "vitest";
import { PromptOptions, type PromptFacts, type Skills, type WorkKind } from "../../src/skills/index.js";
import { SHIPPED, withRepository } from "../support/skill-sources.js";

const SKILL = {
  ".agents/skills/release-notes/SKILL.md":
    "---\nname: release-notes\ndescription: Writes the notes of a release. Use when a version is prepared.\n---\nLook at the tags.\n",
};
const KINDS: Record<string, WorkKind> = { "implementation-executor": "feature", "test-agent": "test" };

/** What an agent is sent when all of its tools are there. */
function promptOf(skills: Skills, name: string, changes: Partial<PromptFacts> = {}): string {
  const agent = skills.agent(name);
  return skills.systemPrompt(agent, {
    tools: [...agent.tools, ...agent.subagents, "complete_task"],
    instructions: "Run `npm test`. Text with {{braces}} stays.",
    language: "en",
    kind: KINDS[name] ?? null,
    skillTokens: 1280,
    ...changes,
  });
}
const bare = { tools: [], instructions: "", skillTokens: 0 };

describe("a system prompt", () => {
  it.each([...SHIPPED.agents.keys()])("of %s is sent as this text", async (name) => {
    await expect(promptOf(withRepository(SKILL), name)).toMatchFileSnapshot(`system-prompts/${name}.md`);
  });

  it("is the same bytes each time, and differs by kind of work", () => {
    const skills = withRepository(SKILL);
    const prompts = (["feature", "test", "docs", "errors", "fix"] as const).map((kind) =>
      promptOf(skills, "implementation-executor", { kind }),
    );
    expect(new Set(prompts).size).toBe(5);
    for (const prompt of prompts) expect(prompt.match(/^## Order of work/gm)).toHaveLength(1);
    expect(promptOf(withRepository(SKILL), "implementation-executor", { kind: "feature" })).toBe(prompts[0]);
  });

  it("speaks only of tools that are offered, and of skills only to who can load them", () => {
    const skills = withRepository(SKILL);
    const prompt = promptOf(skills, "design-manager", { tools: ["read_file", "write_file"] });
    expect(prompt).toContain("- `read_file`:");
    expect(prompt).toContain("- `edit_file`, `write_file`, `run`:");
    expect(prompt).not.toMatch(/`search`|codebase-investigator|release-notes|^## Skills/m);
    expect(promptOf(skills, "design-manager", bare)).not.toContain("## Which tool when");
  });

  it("has every mandate", () => {
    const mandates = promptOf(SHIPPED, "experience-depositor");
    for (const word of [
      "conventions",
      "library",
      "Mimic",
      "idiomatic",
      "comments",
      "Finish the job",
      "beyond it",
      "No summary",
      "Never revert",
    ])
      expect(mandates).toContain(word);
  });

  it("is written in the language of the run", () => {
    expect(promptOf(SHIPPED, "design-manager", { language: "zh" })).toContain("Write in Chinese (简体中文)");
  });
});

describe("a prompt part", () => {
  const file = { "docs/style.md": "## Ours\n\n{{instructions}} {{other}} $&\n" };

  it("can be switched off or replaced from the base branch, and what holds it together stays", () => {
    const skills = withRepository(file, {
      prompts: {
        who: false,
        mandates: false,
        tools: false,
        "workflow-feature": false,
        repository: "./docs/style.md",
      },
    });
    expect(skills.problems).toEqual([]);
    const prompt = promptOf(skills, "implementation-executor", { instructions: "AGENTS $1 {{who}}" });
    expect(prompt).toMatch(/^## How your work is taken/);
    expect(prompt).toContain("## Ours\n\nAGENTS $1 {{who}} {{other}} $&");
    expect(prompt.match(/^## .*$/gm)).toEqual([
      "## How your work is taken",
      "## Ours",
      "## Your job: one task",
    ]);
  });

  it("whose file is not there or leads outside is a problem, and the shipped part stays", () => {
    const prompts = { who: "docs/none.md", mandates: "../secret", tools: "/etc/passwd" };
    const skills = withRepository(file, { prompts });
    expect(skills.problems.map(({ file }) => file)).toEqual(["docs/none.md", "../secret", "/etc/passwd"]);
    expect(skills.problems[0]?.message).toMatch(/^agent\.prompts\.who names it/);
    expect(promptOf(skills, "design-manager")).toBe(promptOf(SHIPPED, "design-manager"));
  });

  it("of an unknown name is refused with the one that was meant", () => {
    expect(PromptOptions.parse(undefined)).toEqual({});
    expect(PromptOptions.safeParse({ mandate: false }).error?.issues[0]?.message).toContain(
      "did you mean mandates?",
    );
    expect(PromptOptions.safeParse({ contract: false }).error?.issues[0]?.message).toContain(
      "the parts are who",
    );
    expect(PromptOptions.safeParse({ who: true }).error?.issues[0]?.message).toContain("false, or the path");
  });
});
