import { describe, expect, it } from "vitest";
import type { Skills } from "../../src/skills/index.js";
import { withRepository } from "../support/skill-sources.js";

const toml = (prompt: string, description = "") =>
  `${description ? `description = ${JSON.stringify(description)}\n` : ""}prompt = ${JSON.stringify(prompt)}\n`;
/** What the repository or the person has, beside what ships. */
const own = (skills: ReturnType<typeof withRepository>) =>
  [...skills.commands.values()].filter(({ origin }) => origin !== "shipped");
const named = (skills: Skills) =>
  own(skills)
    .map(({ name, origin }) => `${name} (${origin})`)
    .sort();

describe("commands", () => {
  it("are named by their path and say where they come from", () => {
    const skills = withRepository(
      {
        ".agents/commands/git/tidy.toml": toml("Tidy up.", "Tidies\nthe branch"),
        ".agents/commands/审查.md":
          "---\ndescription: 审查改动\nargument-hint: [path]\n---\n\n审查 $ARGUMENTS",
        ".agents/commands/plain.md": "# Do it\n\nNow.",
        ".agents/commands/notes.txt": "no command",
        ".agents/commands/.hidden/x.md": "no command",
        ".agents/plugins/jira/commands/ticket.toml": toml("Read the ticket."),
      },
      { user: new Map([[".agents/commands/mine.md", "Mine."]]) },
    );
    expect(skills.problems).toEqual([]);
    expect(named(skills)).toEqual([
      "git:tidy (repository)",
      "mine (user)",
      "plain (repository)",
      "ticket (plugin jira)",
      "审查 (repository)",
    ]);
    expect(skills.commands.get("git:tidy")?.description).toBe("Tidies");
    expect(skills.commands.get("plain")?.description).toBe("Do it");
    expect(skills.commands.get("审查")?.description).toBe("审查改动");
  });

  it("of one name: the repository's wins over the user's, a plugin's takes its plugin's name in front", () => {
    const skills = withRepository(
      {
        ".agents/commands/fix.md": "repository",
        ".agents/commands/fix.toml": toml("repository toml"),
        ".agents/plugins/a/commands/fix.md": "plugin a",
        ".agents/plugins/a/commands/lint.md": "plugin a",
        ".agents/plugins/b/commands/lint.md": "plugin b",
        ".agents/plugins/b/commands/tidy.md": "plugin b",
        ".agents/plugins/No Name/commands/tidy.md": "plugin",
      },
      {
        user: new Map([
          [".agents/commands/fix.md", "user"],
          [".agents/commands/tidy.md", "user"],
        ]),
      },
    );
    expect(named(skills)).toEqual([
      "a:fix (plugin a)",
      "a:lint (plugin a)",
      "b:lint (plugin b)",
      "fix (repository)",
      "tidy (plugin b)",
    ]);
    expect(skills.commands.get("fix")?.description).toBe("repository toml");
    expect(skills.problems.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      '.agents/commands/fix.md: "fix" is hidden by .agents/commands/fix.toml: rename one of them.',
      expect.stringContaining('"No Name" is no name for a plugin'),
      '.agents/commands/tidy.md: "tidy" is hidden by .agents/plugins/b/commands/tidy.md: rename one of them.',
      '.agents/commands/fix.md: "fix" is hidden by .agents/commands/fix.toml: rename one of them.',
    ]);
  });

  it("take no name of the bot's own, none that cannot be typed, and none longer than 50", () => {
    const long = "a/".repeat(24);
    const skills = withRepository(
      {
        ".agents/commands/stop.md": "x",
        ".agents/commands/my command.md": "x",
        [`.agents/commands/${long}bb.md`]: "x",
        [`.agents/commands/${long}bbb.md`]: "x",
        [`.agents/plugins/${"p".repeat(30)}/commands/${"q".repeat(30)}.md`]: "x",
        [`.agents/commands/${"q".repeat(30)}.md`]: "x",
      },
      { taken: ["stop"] },
    );
    expect(
      own(skills)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([`${long.replaceAll("/", ":")}bb`, "q".repeat(30)]);
    expect(skills.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining("51 characters, more than 50"),
      expect.stringContaining('"my command" cannot be part of a name'),
      expect.stringContaining("61 characters, more than 50"),
      expect.stringContaining('"stop" is taken by Accrue itself'),
    ]);
  });

  // The two ways in which prompts for other agents were broken.
  it.each<[string, string]>([
    ["is not valid TOML, line 2, column 14: unrecognised escape sequence.", '# c\nprompt = "it\\\'s"\n'],
    [
      "is not valid TOML, line 2, column 13: each key-value declaration",
      'prompt = """\nhe said """"hi""""\n"""\n',
    ],
    ["is not valid TOML, line 1", "prompt"],
    ["a command needs the key prompt", 'description = "x"\n'],
    ["a command needs the key prompt", "prompt = 1\n"],
    ["the prompt is empty", 'prompt = " "\n'],
    ["the brace of !{ in line 2 of the prompt is not closed", toml("a\n!{echo {}")],
    ["the brace of @{ in line 1 of the prompt is not closed", toml("@{docs")],
    ["@{../secret} is no path in the workspace", toml("@{../secret}")],
    ["@{/etc/passwd} is no path", toml("@{/etc/passwd}")],
    ["@{docs/{{args}}} is no path", toml("@{docs/{{args}}}")],
    ["@{.git/config} is no path", toml("@{.git/config}")],
    ["@{docs//x.md} is no path", toml("@{docs//x.md}")],
    ["!{} runs nothing", toml("!{ }")],
    ["more than 64000", toml("x".repeat(70_000))],
  ])("RT-89: a broken file is said with its line and the others load: %s", (message, text) => {
    const skills = withRepository({ ".agents/commands/a.toml": text, ".agents/commands/b.toml": toml("B") });
    expect(skills.problems).toEqual([
      { file: ".agents/commands/a.toml", message: expect.stringContaining(message) },
    ]);
    expect(own(skills).map(({ name }) => name)).toEqual(["b"]);
  });

  it("in Markdown with a broken head are said; with a head of another tool they load", () => {
    const skills = withRepository({
      ".agents/commands/bad.md": "---\ndescription: [x\n---\nDo it.",
      ".agents/commands/empty.md": "---\ndescription: x\n---\n",
      ".agents/commands/good.md": "\ufeff---\r\ndescription: Use: often\r\nmodel: opus\r\n---\r\nDo it.\r\n",
    });
    expect(skills.problems.map(({ file }) => file)).toEqual([
      ".agents/commands/bad.md",
      ".agents/commands/empty.md",
    ]);
    expect(skills.commands.get("good")?.description).toBe("Use: often");
  });

  it("run shell lines from the repository's base branch only", () => {
    const text = toml("!{rm -rf ~}");
    const skills = withRepository(
      { ".agents/plugins/p/commands/p.toml": text, ".agents/commands/own.toml": text },
      { user: new Map([[".agents/commands/mine.toml", text]]) },
    );
    expect(own(skills).map(({ name }) => name)).toEqual(["own"]);
    expect(skills.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        "!{rm -rf ~} runs a command, which only commands of the repository's base branch may",
      ),
      expect.stringContaining("!{rm -rf ~} runs a command"),
    ]);
  });
});
