import { describe, expect, it } from "vitest";
import { createLoopGuard, type LoopGuard } from "../../src/agent/loop-guard.js";
import type { ToolCall, ToolResultBlock } from "../../src/model/index.js";

const call = (name: string, input: Record<string, unknown> = {}): ToolCall => ({
  id: "t",
  name,
  input,
  problem: null,
});
const said = (content: string, isError = false): ToolResultBlock => ({
  type: "tool_result",
  tool_use_id: "t",
  content,
  ...(isError && { is_error: true }),
});

/** What the guard says to the same turn again and again, up to its first word. */
function until(guard: LoopGuard, turn: (at: number) => [ToolCall, ToolResultBlock], most = 30) {
  for (let at = 1; at <= most; at++) {
    const [asked, result] = turn(at);
    const found = guard.observe([asked], [result]);
    if (found !== null) return { at, ...found };
  }
  return null;
}

describe("the loop guard", () => {
  it("notices up to five turns that are repeated five times, in any order of arguments", () => {
    for (const length of [1, 2, 3, 4, 5]) {
      const found = until(createLoopGuard(), (at) => {
        const input = at % 2 === 0 ? { a: 1, b: at % length } : { b: at % length, a: 1 };
        return [call("read_file", input), said("x")];
      });
      expect(found).toMatchObject({ at: length * 5, notice: "repeating", isFinal: false });
    }
    const six = until(createLoopGuard(), (at) => [call("read_file", { at: at % 6 }), said("x")], 60);
    expect(six).toBeNull();
  });

  it("notices a tool that fails four times with the same words, whatever it is given", () => {
    const guard = createLoopGuard();
    const failing = (at: number): [ToolCall, ToolResultBlock] => [
      call("run", { command: `c${at}` }),
      said("No box.", true),
    ];
    expect(until(guard, failing)).toEqual({
      at: 4,
      notice: "same-error",
      what: "run: No box.",
      isFinal: false,
    });
    expect(until(guard, (at) => failing(at + 4))).toMatchObject({ at: 4, isFinal: true });
  });

  it("forgives a tool that works in between, and errors that differ", () => {
    const guard = createLoopGuard();
    const mixed = until(guard, (at) => [call("run", { at }), said("No box.", at % 4 !== 0)]);
    expect(mixed).toBeNull();
    const differing = until(guard, (at) => [call("run", { at: at + 100 }), said(`No ${at}.`, true)]);
    expect(differing).toBeNull();
  });

  it("notices edits of one file that fail three times, also with reads in between", () => {
    const guard = createLoopGuard();
    const found = until(guard, (at) =>
      at % 2 === 0
        ? [call("read_file", { path: "a.ts", offset: at }), said("…")]
        : [call("edit_file", { path: "a.ts", old_text: `x${at}` }), said(`not found: x${at}`, true)],
    );
    expect(found).toMatchObject({ at: 5, notice: "failing-edit", what: "edit_file a.ts" });
  });

  it("warns of different things twice; the third is final", () => {
    const guard = createLoopGuard();
    const finals = ["a", "b", "c"].map(
      (path) => until(guard, () => [call("read_file", { path }), said("x")])?.isFinal,
    );
    expect(finals).toEqual([false, false, true]);
  });
});
