import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { configKeys, configurationTables, variables } from "../src/config/index.js";
import { ERROR_CODES } from "../src/shared/index.js";
import { stayingAccrue } from "./support/command-line.js";

const typed = stayingAccrue();
const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const filesIn = (folder: string, ending: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
const PROSE = [...filesIn("docs", ".md"), "README.md", "CONTRIBUTING.md", "SECURITY.md", "AGENTS.md"];

describe("docs", () => {
  it("explain every error code, and no other", () => {
    const explained = [...read("docs/errors.md").matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1]);
    expect(new Set(explained)).toEqual(new Set(ERROR_CODES));
    expect(explained).toHaveLength(ERROR_CODES.length);
  });

  it("hold the tables that the schemas give (npm run docs writes them)", () => {
    for (const [name, table] of Object.entries(configurationTables())) {
      expect(read("docs/configuration.md")).toContain(`<!-- generated: ${name} -->\n${table}\n<!-- end -->`);
    }
  });

  it("say of every key and every variable what it means, and give every key a default", () => {
    const keys = configKeys();
    expect(keys.length).toBeGreaterThan(30);
    expect(keys.filter(({ meaning }) => meaning.length < 5)).toEqual([]);
    expect(keys.filter((key) => !key.isGroup && key.default === "")).toEqual([]);
    expect(variables().filter(({ meaning }) => meaning.length < 5)).toEqual([]);
    const silent = variables().filter(
      (variable) => variable.without === "" && !/without|when set/i.test(variable.meaning),
    );
    expect(silent).toEqual([]);
  });

  it("name every environment variable that the code reads", () => {
    const used = filesIn("src", ".ts").flatMap((file) =>
      [...read(file).matchAll(/\benv(?:\.|\[")([A-Z][A-Z_]+)/g)].map((match) => match[1] ?? ""),
    );
    const known = new Set(variables().map(({ name }) => name));
    expect(used.length).toBeGreaterThan(20);
    expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([]);
  });

  it(
    "name every command and every option of the command line, and no other option",
    { timeout: 120_000 },
    async () => {
      const text = read("docs/commands.md");
      const commandsIn = (help: string) =>
        [...(help.split("\nCommands:\n")[1] ?? "").matchAll(/^ {2}([a-z-]+)/gm)]
          .map((match) => match[1] ?? "")
          .filter((name) => name !== "help");
      const optionsIn = (help: string) => [...help.matchAll(/(--[a-z-]+)/g)].map((match) => match[1] ?? "");
      const main = await typed(["--help"]);
      const options = new Set(optionsIn(main.out));
      for (const name of commandsIn(main.out)) {
        const help = await typed([name, "--help"]);
        const parts = commandsIn(help.out);
        for (const part of parts) {
          for (const option of optionsIn((await typed([name, part, "--help"])).out)) options.add(option);
          expect(text).toContain(`| \`accrue ${name} ${part}\` |`);
        }
        if (parts.length === 0) expect(text).toContain(`| \`accrue ${name}\` |`);
        expect(text).toContain(`\n## accrue ${name}\n`);
        for (const option of optionsIn(help.out)) options.add(option);
      }
      expect([...options].filter((option) => !text.includes(option))).toEqual([]);
      const lines = text.split("\n").filter((line) => line.startsWith("accrue "));
      expect(lines.length).toBeGreaterThan(10);
      const written = lines.flatMap((line) => optionsIn(line.split(" -- ")[0] ?? ""));
      expect(written.filter((option) => !options.has(option))).toEqual([]);
    },
  );

  it("name every word that a comment can say", () => {
    const words = [...read("src/app/command.ts").matchAll(/= word\("([a-z]+)"/g)].map((match) => match[1]);
    expect(words).toEqual(expect.arrayContaining(["help", "bill", "stop", "retry", "approve"]));
    const built = [...words, "remember", "ask"];
    expect(built.filter((word) => !read("README.md").includes(`\`@agent ${word}`))).toEqual([]);
  });

  it("use npm scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = PROSE.flatMap((file) =>
      [...read(file).matchAll(/npm run ([a-z:]+)/g)].map((match) => match[1] ?? ""),
    );
    expect(new Set(named)).toContain("docs");
    expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
  });

  it("link to files that are there", () => {
    const broken = PROSE.flatMap((file) =>
      [...read(file).matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map((match) => join(dirname(file), match[1] ?? ""))
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${file}: ${path}`),
    );
    expect(broken).toEqual([]);
  });

  it("show the workflow that lies ready", () => {
    expect(read("docs/action.md")).toContain(
      `\`\`\`yaml\n${read("docs/examples/accrue.yml").trimEnd()}\n\`\`\``,
    );
  });
});
