import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SHIPPED, withRepository } from "../support/skill-sources.js";

const FACTS = { tools: [], instructions: "", language: "zh", kind: null, skillTokens: 0 } as const;
const COMMANDS = readFileSync("docs/commands.md", "utf8");

describe("the skills that ship", () => {
  it("are the twelve, each in the portable format", () => {
    expect([...SHIPPED.skills.keys()].toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      "code-commit",
      "design-change",
      "design-create",
      "design-implementation",
      "experience-index",
      "index-manager",
      "meta-maintainer",
      "req-change",
      "req-create",
      "requirement-archiver",
      "requirement-completer",
      "workspace-setup",
    ]);
    for (const { description, body } of SHIPPED.skills.values()) {
      expect(description).toMatch(/\. Use /);
      expect(body.split("\n").length).toBeLessThan(500);
    }
  });

  it("name only commands that there are", () => {
    const named = [...SHIPPED.skills.values()].flatMap(
      ({ body }) => body.match(/(?<=`)accrue [a-z]+(?: [a-z]+)?/g) ?? [],
    );
    expect(named.length).toBeGreaterThan(8);
    for (const command of named) expect(COMMANDS).toContain(command);
  });

  it("stand in the instructions of the agents that need them, in the language of the run, and are offered nobody besides", () => {
    for (const [agent, skill] of [
      ["requirement-manager", "req-create"],
      ["design-manager", "design-create"],
      ["implementation-executor", "design-implementation"],
      ["test-agent", "design-implementation"],
      ["experience-depositor", "requirement-completer"],
    ] as const) {
      const prompt = SHIPPED.systemPrompt(SHIPPED.agent(agent), FACTS);
      expect(prompt).toContain(SHIPPED.skill(skill).body.split("\n")[0]);
      expect(prompt).not.toContain("{{language}}");
      expect(prompt).not.toContain("meta-maintainer");
    }
  });

  it("give way to the repository's own of the same name, and to those that a phase asks for", () => {
    const own =
      "---\nname: req-create\ndescription: Ours. Use always.\n---\nAsk the product owner, in {{language}}.\n";
    const skills = withRepository({ ".agents/skills/req-create/SKILL.md": own });
    const agent = skills.agent("requirement-manager");
    expect(skills.systemPrompt(agent, FACTS)).toContain("Ask the product owner, in Chinese");
    const changing = skills.systemPrompt(agent, { ...FACTS, loads: ["req-change"] });
    expect(changing).toContain("Read what was understood and what is said now");
    expect(changing).not.toContain("Ask the product owner");
  });
});
