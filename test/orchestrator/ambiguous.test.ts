import { describe, expect, it } from "vitest";
import { isAmbiguous } from "../../src/orchestrator/ambiguous.js";
import type { Ask } from "../../src/orchestrator/index.js";

const comment: Ask["comment"] = { id: 1, kind: "comment", url: "", path: null, line: null, diffHunk: null };
const said = (text: string, part: Partial<Ask> = {}) =>
  isAmbiguous({ intent: { kind: "change", text }, comment, thread: null, ...part });

describe("a comment in free words", () => {
  it.each([
    "add a header row",
    "please rename toCsv to formatCsv",
    "the export has to be UTF-8",
    "only fix the second point",
    "should be blue",
    "do it",
    "have it ask first",
    "加一个表头",
    "应该是蓝色",
    "use UTC everywhere",
    "no header row, please",
  ])("that says what to do asks no model: %j", (text) => {
    expect(said(text)).toBe(false);
  });

  it.each([
    "can you make it blue?",
    "why is this a class",
    "does this handle empty names",
    "Is it fast enough",
    "这样会不会太慢？",
    "能否改成蓝色",
    "thanks, and make it blue",
    "LGTM",
    "好的，不过颜色要改",
    "we always use UTC here",
    "以后金额一律用分",
    "FYI the wallet is virtual",
  ])("that may be something else asks one: %j", (text) => {
    expect(said(text)).toBe(true);
  });

  it("is none where a command, a label, an edit or a small request says what is wanted", () => {
    const thread = { number: 1, isPull: true, title: "", body: "", labels: [], url: "" };
    expect(said("why?", { intent: { kind: "ask", text: "why?" } })).toBe(false);
    expect(said("why?", { comment: null })).toBe(false);
    expect(
      said("can you write a test for this?", {
        thread,
        intent: { kind: "change", text: "can you write a test for this?", proof: "test" },
      }),
    ).toBe(false);
    expect(said("> why?\n\nadd a header row")).toBe(false);
    expect(said("")).toBe(false);
  });
});
