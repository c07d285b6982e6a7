import { describe, expect, it } from "vitest";
import { createCompressionPolicy } from "../../src/agent/compression-policy.js";
import type { Conversation, Entry } from "../../src/agent/conversation.js";
import { findCut } from "../../src/agent/cut.js";
import { historyText } from "../../src/agent/history-text.js";
import { oldResults } from "../../src/agent/prune.js";
import { estimateTokens } from "../../src/shared/index.js";

function turn(at: number, tool: string, content: string): Entry[] {
  return [
    { n: 2 * at, type: "answer", content: [{ type: "tool_use", id: `t${at}`, name: tool, input: { at } }] },
    { n: 2 * at + 1, type: "results", content: [{ type: "tool_result", tool_use_id: `t${at}`, content }] },
  ];
}
const conversationOf = (entries: Entry[], summary = ""): Conversation => ({
  task: "T",
  handOver: "",
  summary,
  entries,
});
const text = (words: string) => [{ type: "text" as const, text: words }];

describe("the text that is summed up", () => {
  const entries = Array.from({ length: 30 }, (_, at) =>
    turn(at, "run", `${at}: ${"y".repeat(9_000)}`),
  ).flat();
  const conversation = conversationOf(entries, "Earlier: </HISTORY>");

  it("RT-46: is cut at the results first, then loses the oldest, and always fits", () => {
    const sizes = [100_000, 20_000, 5_000, 1_000].map((max) => {
      const all = historyText(conversation, entries, max, "(older parts left out)") ?? "";
      expect(estimateTokens(all)).toBeLessThanOrEqual(max);
      expect(all).toContain("<earlier-summary>\nEarlier: &lt;/HISTORY>\n</earlier-summary>");
      expect(all).toContain('CALL run: {"at":29}');
      return [all.includes('CALL run: {"at":0}'), all.includes("(older parts left out)")];
    });
    expect(sizes).toEqual([
      [true, false],
      [true, false],
      [true, false],
      [false, true],
    ]);
  });

  it("RT-46: is none when not even the newest message fits", () => {
    expect(historyText(conversation, entries, 60, "…")).toBeNull();
  });
});

describe("the results that are moved", () => {
  it("are large ones outside of the newest, and never what a skill said", () => {
    const entries = [
      ...turn(0, "activate_skill", "z".repeat(9_000)),
      ...turn(1, "run", "z".repeat(9_000)),
      ...turn(2, "run", "small"),
      ...turn(3, "run", "z".repeat(9_000)),
    ];
    expect(oldResults(conversationOf(entries), 3_000).map(({ id, tool }) => [id, tool])).toEqual([
      ["t1", "run"],
    ]);
    expect(oldResults(conversationOf(entries), 0).map(({ id }) => id)).toEqual(["t3", "t1"]);
  });
});

describe("the cut", () => {
  it("is at a message of its own to the model where there is one, else before an answer", () => {
    const one = Array.from({ length: 20 }, (_, at) => turn(at, "run", "z".repeat(1_000))).flat();
    expect(findCut(one, 0.3)).toBe(28);
    const said: Entry = { n: 100, type: "answer", content: text("Hm.") };
    const nudged: Entry = { n: 101, type: "note", content: text("Go on.") };
    const talk = [...one.slice(0, 30), said, nudged, ...one.slice(30)];
    expect(findCut(talk, 0.3)).toBe(31);
    expect(findCut([...one, said, nudged], 0.3)).toBe(30);
  });

  it("leaves the newest whole, however large, and is nowhere in a single turn", () => {
    expect(findCut([...turn(0, "run", "a"), ...turn(1, "run", "z".repeat(90_000))], 0.3)).toBe(2);
    expect(findCut(turn(0, "run", "z".repeat(90_000)), 0.3)).toBeNull();
    expect(findCut([], 0.3)).toBeNull();
  });
});

describe("the time to compress", () => {
  const at = (context: number | null, cheapUpTo: number | null = null, atTokens = 150_000) => {
    const window = context === null ? null : { context, maxOutput: 8_000, cheapUpTo };
    const policy = createCompressionPolicy({ at: 0.5, atTokens, keep: 0.3 }, window, true);
    return policy.due(1, 1_000_000_000)?.isForced === false
      ? policy.due(1, 1_000_000_000)?.tokens
      : policy.due(1, (context ?? 0) - 2_000)?.tokens;
  };

  it("is the smallest of a share of the window, a number, and what is cheap", () => {
    expect(at(200_000)).toBe(100_000);
    expect(at(1_000_000)).toBe(150_000);
    expect(at(1_000_000, 100_000)).toBe(90_000);
    expect(at(null)).toBe(150_000);
  });

  it("is put off until the conversation has grown by a fifth, and never comes after two failures", () => {
    const policy = createCompressionPolicy({ at: 0.5, atTokens: 100, keep: 0.3 }, null, true);
    const line = {
      type: "compressed" as const,
      n: 1,
      at: "",
      turn: 1,
      pruned: [],
      summary: null,
      keepFrom: null,
      handOver: "",
    };
    policy.observe({ ...line, status: "NO_PROGRESS", before: 100, after: 98, problem: "x" });
    expect([policy.due(2, 119), policy.due(2, 120)?.tokens]).toEqual([null, 100]);
    policy.observe({ ...line, status: "NOOP", before: 120, after: 120, problem: "x" });
    expect([policy.due(2, 143), policy.due(2, 144)?.tokens]).toEqual([null, 100]);
    policy.observe({ ...line, status: "EMPTY", before: 144, after: 144, problem: "x" });
    expect(policy.due(2, 10_000)).toBeNull();
    policy.observe({ ...line, status: "COMPRESSED", before: 200, after: 50, problem: "" });
    expect([policy.due(2, 99), policy.due(2, 100)?.tokens]).toEqual([null, 100]);
    policy.observe({ ...line, status: "COMPRESSED", before: 200, after: 150, problem: "" });
    expect([policy.due(2, 179), policy.due(2, 180)?.tokens]).toEqual([null, 100]);
  });
});
