import { describe, expect, it } from "vitest";
import { budgetText, type BudgetStop, parseBudget } from "../../src/ledger/index.js";
import { repository } from "./entries.js";

describe("a budget in a person's words", () => {
  it.each([
    ["$5", "usd", 5],
    ["5$", "usd", 5],
    ["$1,000.50", "usd", 1000.5],
    ["5 usd", "usd", 5],
    ["USD 5", "usd", 5],
    ["5 dollars.", "usd", 5],
    ["5美元", "usd", 5],
    ["＄５", "usd", 5],
    ["$1k", "usd", 1000],
    ["$.50", "usd", 0.5],
    ["50k", "tokens", 50_000],
    ["50K tokens", "tokens", 50_000],
    ["1.5M", "tokens", 1_500_000],
    ["50 000", "tokens", 50_000],
    ["50,000 weighted tokens", "tokens", 50_000],
    ["5万", "tokens", 50_000],
    ["1 token", "tokens", null],
  ])("%s", (text, unit, amount) => {
    if (amount === null) expect(() => parseBudget(text)).toThrow(/too little/);
    else expect(parseBudget(text)).toEqual({ unit, amount, isMore: false });
  });

  it("can ask for more than now", () => {
    expect(parseBudget("+$5")).toEqual({ unit: "usd", amount: 5, isMore: true });
    expect(parseBudget("+ 20k")).toEqual({ unit: "tokens", amount: 20_000, isMore: true });
  });

  it.each([
    ["$0", /too little/],
    ["0.001 usd", /too little/],
    ["-5$", /is no budget/],
    ["$-5", /is no budget/],
    ["", /is no budget/],
    ["5", /may be dollars or tokens/],
    ["5,50 usd", /is no budget/],
    ["$50 tokens", /in dollars and in tokens/],
    ["€5", /is no budget/],
    ["$1e9", /is no budget/],
    ["$999,999,999", /more than anybody means/],
    ["99999999M", /more than anybody means/],
    ["$5 and then some", /is no budget/],
    ["1".repeat(9999), /^"1{60}" is more/],
  ])("is refused with what to write instead: %s", (text, why) => {
    expect(() => parseBudget(text)).toThrow(
      expect.objectContaining({ code: "INPUT_INVALID", message: expect.stringMatching(why) as string }),
    );
    expect(() => parseBudget(text)).toThrow(/write `\$5`, .* or `50k`/);
  });
});

describe("what people read about a budget", () => {
  const stop: BudgetStop = {
    limit: "requirement",
    subject: "REQ-12",
    unit: "usd",
    spent: 8.04,
    of: 10,
    kept: 2,
  };
  const view = { language: "en" as const, repository, requirement: "REQ-12", mention: "@agent" };

  it("says what is used, of what, and the reply that grants more", () => {
    expect(budgetText(stop, view)).toBe(
      "The budget of REQ-12 is used up: $8.04 of $10.00, $2.00 of it kept for validation and the final answer. " +
        "To raise it, reply `@agent budget $15`.",
    );
    const tokens = { ...stop, unit: "tokens" as const, spent: 45_000, of: 60_000, kept: 0 };
    expect(budgetText(tokens, view)).toBe(
      "The budget of REQ-12 is 75 % used: 45 k of 60 k weighted tokens. To raise it, reply `@agent budget 90k`.",
    );
  });

  it("says of a task, a day and a command line what helps there", () => {
    expect(budgetText({ ...stop, limit: "task", subject: "T4", kept: 0, of: 8 }, view)).toMatch(
      /^The budget of task T4 of REQ-12 is used up.* reply `@agent retry`; for good, raise `budget.task`/,
    );
    const day = { ...stop, limit: "day" as const, subject: "2026-11-29" };
    expect(budgetText(day, view)).toMatch(
      /^The budget of acme\/shop for 2026-11-29 \(UTC\).* tomorrow, or raise `budget.day`/,
    );
    expect(budgetText(stop, { ...view, mention: null })).toMatch(
      /To raise it, run `accrue run --budget '\$15' REQ-12`\.$/,
    );
    expect(budgetText({ ...stop, limit: "agent", subject: "lead/searcher" }, view)).not.toMatch(/reply|run/);
  });

  it("says the same in Chinese", () => {
    expect(budgetText(stop, { ...view, language: "zh" })).toBe(
      "REQ-12 的预算已用完：$8.04 / $10.00，其中 $2.00 留给验证和最后的答复。回复 `@agent budget $15` 提高预算。",
    );
    expect(budgetText({ ...stop, spent: 7 }, { ...view, language: "zh" })).toContain("已用 87 %");
  });
});
