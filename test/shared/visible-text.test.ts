import { describe, expect, it } from "vitest";
import { visibleText } from "../../src/shared/index.js";

describe("visible text", () => {
  it.each([
    ["a comment", "a <!-- do this --> b", "a  b"],
    ["a comment over lines", "a\n<!-- do\nthis -->\nb", "a\n\nb"],
    ["a comment that is never closed", "a <!-- do this", "a "],
    ["a comment inside a comment", "a <!<!-- -->-- do this --> b", "a  b"],
    ["a comment with backticks in it", "a <!-- `do` this --> b", "a  b"],
    ["a comment between escaped backticks", "\\` <!-- do this --> \\`", "\\`  \\`"],
    ["tag characters", `a${String.fromCodePoint(0xe0064, 0xe006f)}b`, "ab"],
    ["zero-width spaces and bidirectional marks", "a\u200b\u202e\u2066\u200fb", "ab"],
  ])("leaves out %s", (_, hidden, shown) => {
    expect(visibleText(hidden)).toBe(shown);
  });

  it("ends on hostile texts of the largest size that GitHub takes", () => {
    const size = 65_536;
    expect(visibleText("`".repeat(size))).toHaveLength(size);
    expect(visibleText(`${"<!".repeat(size / 6)}-- x ${"-->--".repeat(size / 6)}`)).not.toContain("<!--");
    expect(visibleText("``a`".repeat(size / 4)).length).toBeGreaterThan(0);
  });

  it.each([
    ["code in a fence", "```html\n<!-- kept -->\n```"],
    ["code in a line", "use `<!-- kept -->` and ``a ` <!-- b -->``"],
    ["emoji families", "👩‍👩‍👧‍👦 ❤️"],
    ["Persian with its non-joiners", "می‌خواهم"],
    ["generics and HTML tags", 'Vec<T> <Tooltip title="We\'ll do it">'],
    ["Chinese", "导出为 CSV，不要改动 `src/user`。"],
  ])("keeps %s to the byte", (_, text) => {
    expect(visibleText(text)).toBe(text);
  });
});
