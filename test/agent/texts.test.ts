import { describe, expect, it } from "vitest";
import { readNotices } from "../../src/agent/index.js";
import { TEXTS } from "../support/agent-bench.js";

const MARKDOWN = Object.entries(TEXTS)
  .filter(([name]) => name !== "compress")
  .map(([name, text]) => `## ${name}\r\n\r\n${text}\r\n`)
  .join("\r\n");

describe("the notices", () => {
  it("are sections of a Markdown file, whatever its line ends", () => {
    expect(readNotices(`A preface.\r\n\r\n${MARKDOWN}`)).toEqual({ ...TEXTS, compress: undefined });
  });

  it("name the section that is missing, empty or unknown", () => {
    const missing = MARKDOWN.replace("## nudge", "## nudgee");
    expect(() => readNotices(missing)).toThrow('no text is called "nudgee"');
    expect(() => readNotices("## nudge\n\n")).toThrow('the text "nudge" is missing');
    expect(() => readNotices("")).toThrow(/prompts\/notices\.md/);
  });

  it("have no placeholders", () => {
    expect(Object.values(TEXTS).filter((text) => text.includes("{{"))).toEqual([]);
  });
});
