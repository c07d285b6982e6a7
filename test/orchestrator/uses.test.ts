import { describe, expect, it } from "vitest";
import { readMemories } from "../../src/knowledge/index.js";
import { usesOf } from "../../src/orchestrator/uses.js";

const note = (id: string, solution: string, status = "active"): [string, string] => [
  `context/experience/${id}.md`,
  `---\nid: ${id}\ntitle: Refunds of ${id}\ntype: pattern\nstatus: ${status}\ntrust: reviewed\n---\n\n## Problem\n\nRefunds fail.\n\n## Solution\n\n${solution}\n`,
];
const { memories } = readMemories(
  new Map([
    note("EXP-AAAAAAAA", "Change `src/refund.ts`."),
    note("EXP-BBBBBBBB", "Call `sendRefund` twice."),
    note("EXP-CCCCCCCC", "Files of `services/goods/**` go first."),
    note("EXP-DDDDDDDD", "Change `src/refund.ts` last.", "retired"),
  ]),
);
const uses = (said: string, files: string[], symbols: string[]) => usesOf(memories, { said, files, symbols });

describe("a memory is used", () => {
  it("when an answer cites its id", () => {
    expect(uses("As EXP-BBBBBBBB says, and EXP-ZZZZZZZZ too.", [], [])).toEqual([
      { memory: "EXP-BBBBBBBB", kind: "cited" },
    ]);
  });

  it("when a file, a pattern's file or a symbol that it names is changed, and not when it is retired", () => {
    expect(uses("", ["src/refund.ts"], [])).toEqual([{ memory: "EXP-AAAAAAAA", kind: "changed" }]);
    expect(uses("", ["services/goods/a/b.ts"], [])).toEqual([{ memory: "EXP-CCCCCCCC", kind: "changed" }]);
    expect(uses("", [], ["src/send.ts#sendRefund"])).toEqual([{ memory: "EXP-BBBBBBBB", kind: "changed" }]);
  });

  it("once, however often, and not for being there", () => {
    expect(uses("EXP-AAAAAAAA EXP-AAAAAAAA", ["src/refund.ts"], [])).toEqual([
      { memory: "EXP-AAAAAAAA", kind: "cited" },
    ]);
    expect(uses("nothing", ["README.md"], [])).toEqual([]);
  });
});
