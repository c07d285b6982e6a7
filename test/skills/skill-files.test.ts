import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/shared/index.js";
import { readUserFolder, skillPaths } from "../../src/skills/index.js";
import { withRepository } from "../support/skill-sources.js";

const at = (name: string) => `.agents/skills/${name}/SKILL.md`;
const skillFile = (name: string, description = "Does it. Use when asked.") =>
  `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\n\nDo it.\n`;

/** What the repository or the person has, beside what ships. */
const own = (skills: ReturnType<typeof withRepository>) =>
  [...skills.skills.values()].filter(({ origin }) => origin !== "shipped");

/** The list as an agent that can load skills is sent it. */
function listOf(skills: ReturnType<typeof withRepository>, skillTokens: number): string {
  const facts = {
    tools: ["activate_skill"],
    instructions: "",
    language: "en",
    kind: null,
    skillTokens,
  } as const;
  const prompt = skills.systemPrompt(skills.agent("design-manager"), facts);
  return /## Skills\n\n.*\n\n([\s\S]*?)\n\n## Your job/.exec(prompt)?.[1] ?? "";
}

describe("a skill", () => {
  it("is its description at first, and its body and the names of its files when it is asked for", () => {
    const skills = withRepository({
      [at("pdf")]: skillFile("pdf"),
      ".agents/skills/pdf/scripts/read.py": "print()",
      ".agents/skills/pdf/references/FORMS.md": "Forms",
      ".agents/skills/README.md": "Ours",
    });
    expect(skills.problems).toEqual([]);
    expect(listOf(skills, 1000)).toBe("- pdf: Does it. Use when asked.");
    expect(skills.skill("pdf")).toEqual({
      name: "pdf",
      description: "Does it. Use when asked.",
      body: "# pdf\n\nDo it.",
      files: ["references/FORMS.md", "scripts/read.py"],
      folder: ".agents/skills/pdf",
      origin: "repository",
      file: at("pdf"),
    });
    expect(() => skills.skill("pfd")).toThrow('There is no skill "pfd". Did you mean pdf?');
  });

  it("may have colons without quotes, keys of other tools, Windows line ends and a byte order mark", () => {
    const text = [
      "\ufeff---",
      "name: pdf",
      "description: Use when: a PDF is named, e.g. `@a.pdf`",
      "license: MIT",
      "allowed-tools: Bash(git:*) Read",
      "metadata: { author: us }",
      "---",
      "Do it.",
    ].join("\r\n");
    const skills = withRepository({ [at("pdf")]: text });
    expect(skills.problems).toEqual([]);
    expect(skills.skill("pdf")).toMatchObject({
      description: "Use when: a PDF is named, e.g. `@a.pdf`",
      body: "Do it.",
    });
  });

  it.each<[string, string, string]>([
    ['name is "pdf-tools": it must be its folder\'s, "pdf"', "pdf", skillFile("pdf-tools")],
    ["name: use a-z, 0-9 and single hyphens", "PDF", skillFile("PDF")],
    ["name: use a-z, 0-9 and single hyphens", "商品", skillFile("商品")],
    ["name: Too big", "a".repeat(65), skillFile("a".repeat(65))],
    ["description: Too big", "pdf", skillFile("pdf", "x".repeat(1025))],
    ["description: say in one sentence", "pdf", skillFile("pdf", '" "')],
    ["begin the file with frontmatter", "pdf", "Do it."],
    ["write the instructions", "pdf", "---\nname: pdf\ndescription: d\n---\n"],
    ["Alias resolution", "pdf", "---\nname: pdf\ndescription: &a d\nmetadata: [*a, *a]\n---\nDo it."],
    ["has to be a list of keys", "pdf", "---\n- name\n---\nDo it."],
  ])("that is wrong is left out and said: %s", (message, folder, text) => {
    const skills = withRepository({ [at(folder)]: text, [at("fine")]: skillFile("fine") });
    expect(skills.problems).toEqual([{ file: at(folder), message: expect.stringContaining(message) }]);
    expect(own(skills).map(({ name }) => name)).toEqual(["fine"]);
  });

  it("is found in .claude/skills too; the repository's own folder and then the repository win over the user", () => {
    const skills = withRepository(
      {
        ".claude/skills/both/SKILL.md": skillFile("both", "other"),
        ".claude/skills/theirs/SKILL.md": skillFile("theirs"),
        [at("both")]: skillFile("both", "own"),
        ".agents/skills/typo/skill.md": skillFile("typo"),
      },
      {
        user: new Map([
          [at("theirs"), skillFile("theirs", "user")],
          [at("mine"), skillFile("mine", "user")],
        ]),
      },
    );
    const kept = own(skills).sort((a, b) => (a.origin > b.origin ? -1 : 1));
    expect(kept.map(({ name, origin, description }) => [name, origin, description])).toEqual([
      ["mine", "user", "user"],
      ["theirs", "repository", "Does it. Use when asked."],
      ["both", "repository", "own"],
    ]);
    expect(skills.problems[0]?.message).toBe("rename the file to SKILL.md.");
    expect(skillPaths({ who: "docs/./who.md", tools: "docs/tools.md", mandates: false })).toEqual([
      ".agents/",
      ".claude/skills/",
      "docs/tools.md",
    ]);
  });
});

describe("the list of skills", () => {
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => {
      const name = `skill-${String(index).padStart(2, "0")}`;
      return [at(name), skillFile(name, index === 3 ? "Short." : `虚拟商品 ${"long words ".repeat(30)}`)];
    }),
  );
  const skills = withRepository(many);

  it.each([100_000, 4000, 1280, 400, 330, 200, 20, 3, 0])("takes at most %i tokens", (tokens) => {
    const list = listOf(skills, tokens);
    expect(estimateTokens(list)).toBeLessThanOrEqual(tokens);
    expect(list).toBe(listOf(skills, tokens));
  });

  it("cuts every description to one length, then to names, then counts the rest", () => {
    const lines = listOf(skills, 1280).split("\n");
    expect(lines).toHaveLength(41);
    expect(lines[3]).toBe("- skill-03: Short.");
    expect(new Set(lines.slice(0, 3).map((line) => line.length)).size).toBe(1);
    expect(lines[40]).toMatch(/cut to fit/);
    expect(listOf(skills, 100_000)).not.toMatch(/cut to fit|…/);
    expect(listOf(skills, 60)).toMatch(/^- skill-00\n[^]*\n- and \d+ more/);
  });
});

describe("a user's folder", () => {
  it("gives skills and commands, follows no link, and may be missing or something else", async () => {
    const home = await mkdtemp(join(tmpdir(), "accrue-home-"));
    try {
      expect(readUserFolder(home)).toEqual(new Map());
      await writeFile(join(home, ".agents"), "a file");
      expect(readUserFolder(home)).toEqual(new Map());
      await rm(join(home, ".agents"));
      await mkdir(join(home, ".agents/skills/mine/scripts"), { recursive: true });
      await mkdir(join(home, ".agents/commands"));
      await writeFile(join(home, ".agents/skills/mine/SKILL.md"), skillFile("mine"));
      await writeFile(join(home, ".agents/skills/mine/scripts/a.sh"), "echo");
      await writeFile(join(home, "secret.md"), "secret");
      await symlink(join(home, "secret.md"), join(home, ".agents/commands/leak.md"));
      await symlink(home, join(home, ".agents/skills/loop"));
      const user = readUserFolder(home);
      expect([...user.keys()]).toEqual([at("mine"), ".agents/skills/mine/scripts/a.sh"]);
      const skills = withRepository({}, { user });
      expect(skills.skill("mine")).toMatchObject({ origin: "user", files: [], folder: null });
      expect(skills.problems[0]?.message).toMatch(/only SKILL\.md reaches an agent/);
    } finally {
      await rm(home, { recursive: true });
    }
  });
});
