import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ValidateConfig, queryRules } from "../../src/validator/index.js";
import { source } from "./change.js";

const text = readFileSync(new URL("../../docs/validation.md", import.meta.url), "utf8");
const examples = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml = ""]) =>
  ValidateConfig.parse((parse(yaml) as { validate: unknown }).validate),
);

/** For each rule of the documentation: a file, what is right in it, and what is not. */
const FILES: Record<string, { path: string; right: string; wrong: string }> = {
  "documented exports": {
    path: "a.ts",
    right: "/** Says. */\nexport function a() {}\nfunction b() {}\n",
    wrong: "export const x = 1;\nexport function a() {}\n",
  },
  docstrings: {
    path: "a.py",
    right: 'def a():\n    """Says."""\n    return 1\n',
    wrong: "x = 1\ndef a():\n    return 1\n",
  },
  "no panics": {
    path: "a.go",
    right: "package a\nfunc f() { g() }\n",
    wrong: 'package a\nfunc f() { panic("no") }\n',
  },
  "no debug output": {
    path: "a.js",
    right: "logger.info(1);\n",
    wrong: "logger.info(1);\nconsole.log(1);\n",
  },
};

describe("the examples of docs/validation.md", () => {
  it("are valid, and their rules find what is wrong at its line and nothing else", async () => {
    const rules = examples.flatMap(queryRules);
    expect(rules.map(({ name }) => name).sort()).toEqual(Object.keys(FILES).sort());
    for (const { name, language, query, unless } of rules) {
      const { path, right, wrong } = FILES[name] ?? { path: "", right: "", wrong: "" };
      expect(source.languageOf(path)).toBe(language);
      const found = async (code: string) => {
        const excused = unless === "" ? [] : await source.find(path, code, unless);
        const all = await source.find(path, code, query);
        return all
          .filter(({ start }) => !excused.some((each) => each.start === start))
          .map(({ from }) => from);
      };
      expect([name, await found(right), await found(wrong)]).toEqual([name, [], [2]]);
    }
  });
});
