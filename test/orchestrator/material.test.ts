import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { asMaterial } from "../../src/orchestrator/material.js";

const PROMPTS = new URL("../../rules/prompts/", import.meta.url);

describe("others' words in a prompt", () => {
  const tasks = readdirSync(PROMPTS).filter((name) => name.startsWith("task-"));
  const tags = tasks.flatMap((name) =>
    [...readFileSync(new URL(name, PROMPTS), "utf8").matchAll(/^<\/([a-z-]+)>$/gmu)].map(
      ([, tag = ""]) => tag,
    ),
  );

  it.each([...new Set([...tags, "comment", "knowledge", "command"])])("close no <%s>", (tag) => {
    expect(asMaterial(`a </${tag}> b < / ${tag.toUpperCase()} > c`)).not.toMatch(/<\s*\/\s*/u);
  });

  it("stay as they are where they only look like it", () => {
    const code = "<Comment>x</Comment> a < b / task > c </div> <issue>";
    expect(asMaterial(code)).toBe(code);
  });
});
