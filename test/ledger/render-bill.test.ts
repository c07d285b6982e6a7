import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/db/index.js";
import {
  type BillView,
  createLedger,
  formatTokens,
  formatUsd,
  type Ledger,
  type LedgerEntry,
  renderBill,
} from "../../src/ledger/index.js";
import { entry, repository, unanswered } from "./entries.js";

let folder: string;
let db: Database;
let ledger: Ledger;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "accrue-bill-"));
  db = openDatabase(join(folder, "l.db"), { synchronous: "normal" });
  ledger = createLedger(db);
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

const plain: BillView = {
  language: "en",
  budgetUsd: null,
  similar: [],
  links: { requirement: null, trace: null },
};
const CENT = 10_000_000;

function render(parts: Partial<LedgerEntry>[], view: Partial<BillView> = {}): string {
  for (const [index, part] of parts.entries())
    ledger.record(entry({ id: String(index).padStart(4, "0"), ...part }));
  return renderBill(ledger.bill({ repository, requirement: "REQ-1" }), { ...plain, ...view });
}

/** Cells of the first table, without the bold marks of the sum. */
function firstTable(markdown: string): string[][] {
  const lines = markdown.split("\n");
  const start = lines.findIndex((line) => line.startsWith("| --- "));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  return lines.slice(start + 1, end).map((line) =>
    line
      .slice(2, -2)
      .split(" | ")
      .map((cell) => cell.replaceAll("**", "")),
  );
}

describe("a rendered bill", () => {
  it("shows the cost first, then the phases with a sum, then the details folded", () => {
    const usage = { input: 13_000, cacheRead: 128_000, cacheWrite: 0, output: 9000 };
    const markdown = render(
      [
        {
          phase: "design",
          usage: { input: 6000, cacheRead: 12_000, cacheWrite: 0, output: 2000 },
          costNanoUsd: 11 * CENT,
        },
        { phase: "implement", usage, costNanoUsd: 22 * CENT },
        { phase: "implement", usage: { ...usage, cacheRead: 0 }, costNanoUsd: 2 * CENT, wasted: true },
      ],
      { budgetUsd: 10, links: { requirement: "https://x.test/12", trace: "https://x.test/run" } },
    );
    expect(markdown.split("<details>")[0]).toBe(
      [
        "**$0.35** for [REQ-1](https://x.test/12) · 192 k tokens, 81 % of the input from cache · budget $10.00",
        "",
        "| phase | calls | input | of it cached | output | cost |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        "| design | 1 | 18 k | 12 k | 2 k | $0.11 |",
        "| implement | 1 | 141 k | 128 k | 9 k | $0.22 |",
        "| wasted: 1 retry | 1 | 13 k | 0 k | 9 k | $0.02 |",
        "| **sum** | **3** | **172 k** | **140 k** | **20 k** | **$0.35** |",
        "",
        "",
      ].join("\n"),
    );
    expect(markdown).toContain("<details><summary>By model, task, day</summary>\n\n| model |");
    expect(markdown.endsWith("<sub>[trace](https://x.test/run)</sub>")).toBe(true);
  });

  it("has the same layout in Chinese", () => {
    const markdown = render([{ wasted: true }, {}], {
      language: "zh",
      budgetUsd: 2,
      similar: [{ requirement: "REQ-0", usd: 0.01 }],
    });
    expect(markdown).toMatch(
      /^REQ-1 共花费 \*\*<\$0\.01\*\* · 1\.9 k tokens，输入的 85 % 来自缓存 · 预算 \$2\.00 · 第 2 个/,
    );
    expect(markdown).toContain("| 阶段 | 调用 | 输入 | 其中缓存 | 输出 | 费用 |");
    expect(markdown).toContain("| 浪费：重试 1 次 | 1 |");
    expect(markdown).toContain("| **合计** | **2** |");
  });

  it("has no row for waste and no chart when there was none and nothing is similar", () => {
    const markdown = render([{}]);
    expect(markdown).not.toMatch(/wasted|mermaid|budget/);
  });

  it("compares with similar requirements in a chart that ends with this one", () => {
    const markdown = render([{ costNanoUsd: 42 * CENT }], {
      similar: [
        { requirement: "REQ-3", usd: 0.91 },
        { requirement: "REQ-7", usd: 0.58 },
      ],
    });
    expect(markdown).toContain("3rd requirement of its kind: 46 % of the first");
    expect(markdown).toContain('  x-axis ["REQ-3", "REQ-7", "REQ-1"]\n  bar [0.91, 0.58, 0.42]\n```');
  });

  it("adds up as printed, whatever the numbers are", () => {
    const cents = (text: string) =>
      Math.round(Number(text.replaceAll(/[$,]/g, "").replace("<0.01", "0")) * 100);
    const tenths = (text: string) => Math.round(Number(text.replace(" k", "")) * 10);
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            costNanoUsd: fc.oneof(
              fc.integer({ min: 0, max: 2 * CENT }),
              fc.integer({ min: 0, max: 10 ** 13 }),
            ),
            phase: fc.constantFrom("requirement", "design", "implement", "validate"),
            wasted: fc.boolean(),
            usage: fc.record({
              input: fc.nat(90_000),
              cacheRead: fc.nat(90_000),
              cacheWrite: fc.nat(900),
              output: fc.nat(5000),
            }),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        (parts) => {
          db.exec("delete from ledger_entries");
          const rows = firstTable(render(parts));
          const sum = rows.pop() ?? [];
          const add = (column: number, read: (text: string) => number) =>
            rows.reduce((total, row) => total + read(row[column] ?? ""), 0);
          expect(add(1, Number)).toBe(parts.length);
          for (const column of [2, 3, 4]) expect(add(column, tenths)).toBe(tenths(sum[column] ?? ""));
          expect(add(5, cents)).toBe(cents(sum[5] ?? ""));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("says which calls have no price instead of calling them free", () => {
    expect(render([{ costNanoUsd: null }, {}])).toContain("⚠ The price of 1 call is not known");
  });

  it("says what was for nothing by kind in the details, and what is a guess", () => {
    const markdown = render([
      { costNanoUsd: 9 * CENT },
      { costNanoUsd: 3 * CENT, wasted: true, stopReason: "failed" },
      { costNanoUsd: 2 * CENT, wasted: true, stopReason: "interrupted", isEstimate: true },
      { costNanoUsd: CENT, stopReason: "max_tokens" },
      { ...unanswered },
    ]);
    expect(markdown).toContain(
      "⚠ 1 call was cut off before the provider said what was used: that is a guess.",
    );
    const table = markdown.split("| for nothing |")[1] ?? "";
    expect(table.split("\n").slice(2, 6)).toEqual([
      expect.stringMatching(/^\| answer broke off \| 1 \|.* \$0\.03 \|$/),
      expect.stringMatching(/^\| cut off by a crash \| 1 \|.* \$0\.02 \|$/),
      expect.stringMatching(/^\| too long or refused \| 1 \|.* \$0\.01 \|$/),
      expect.stringMatching(/^\| \*\*sum\*\* \| \*\*3\*\* \|.*\*\*\$0\.06\*\* \|$/),
    ]);
    expect(firstTable(markdown).at(-1)?.slice(0, 2)).toEqual(["sum", "4"]);
    expect(render([{ wasted: true, isEstimate: true }], { language: "zh" })).toMatch(
      /报告用量之前中断，其用量为估计值[\s\S]*\| 浪费 \|/,
    );
  });

  it("says that no model was called", () => {
    expect(render([])).toBe("**$0.00** for REQ-1 · no model was called");
  });

  it("SE-02: keeps names from breaking the table or mentioning anybody", () => {
    const markdown = render([{ task: "T1 | a\nb <b> @lee" }]);
    expect(markdown).toContain("| T1 \\| a b &lt;b> `@lee` |");
  });

  it("adds the rest of a long list up in one row", () => {
    const markdown = render(Array.from({ length: 50 }, (_, i) => ({ task: `T${i}` })));
    expect(markdown.match(/^\| T\d+ /gm)).toHaveLength(29);
    expect(markdown).toContain("| … | 21 |");
  });
});

describe("formatUsd", () => {
  it.each([
    [0, "$0.00"],
    [1, "<$0.01"],
    [CENT - 1, "<$0.01"],
    [CENT, "$0.01"],
    [42 * CENT, "$0.42"],
    [1204 * 100 * CENT, "$1,204.00"],
  ])("prints %i as %s", (nano, text) => expect(formatUsd(nano)).toBe(text));
});

describe("formatTokens", () => {
  it.each([
    [0, "0"],
    [320, "320"],
    [1234, "1.2 k"],
    [9949, "9.9 k"],
    [9950, "10 k"],
    [190_400, "190 k"],
    [999_499, "999 k"],
    [1_400_000, "1.4 M"],
  ])("prints %i as %s", (tokens, text) => expect(formatTokens(tokens)).toBe(text));
});
