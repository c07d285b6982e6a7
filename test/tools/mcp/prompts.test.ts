import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { promptArguments } from "../../../src/tools/mcp/prompt-arguments.js";
import { openMcpBench, type McpBench } from "../../support/mcp-bench.js";

const NEVER = new AbortController().signal;
let bench: McpBench;
beforeEach(async () => {
  bench = await openMcpBench();
});
afterEach(async () => {
  expect(await bench.close()).toEqual([]);
});

describe("the prompts of servers", () => {
  it("are commands of their own for each server, with all arguments and all messages", async () => {
    const servers = await bench.open({ one: bench.stdio("all"), "number two": bench.stdio("all") });
    expect(servers.commands.map(({ name }) => name).sort()).toEqual([
      "number-two:review",
      "number-two:talk",
      "one:review",
      "one:talk",
    ]);
    const review = servers.commands.find(({ name }) => name === "one:review");
    expect(review).toMatchObject({
      description: "Reviews a pull request.",
      usage: '/one:review --pr="…" [--style="…"]',
    });
    expect(await review?.expand('12 --style="short \\"and\\" kind"', NEVER)).toBe(
      'Review 12, short "and" kind',
    );
    expect(await review?.expand("12", NEVER)).toBe("Review 12, any style");
    await expect(review?.expand("", NEVER)).rejects.toThrow(/needs pr\. Write: \/one:review --pr/u);
    const talk = servers.commands.find(({ name }) => name === "number-two:talk");
    expect(await talk?.expand("", NEVER)).toBe(
      "User: Hello\n\nAssistant: How can I help?\n\nUser: With this note",
    );
  });
});

describe("the arguments of a prompt", () => {
  const declared = ["a", "b", "c"].map((name) => ({ name, description: "", required: name === "a" }));
  it.each([
    ["x", { a: "x" }],
    ["x y z w", { a: "x", b: "y", c: "z w" }],
    ['"x y" z', { a: "x y", b: "z" }],
    ["--b=1 x y z", { a: "x", b: "1", c: "y z" }],
    ["x --c='it is' --b=", { a: "x", b: "", c: "it is" }],
    ['--a="line one\nline two"', { a: "line one\nline two" }],
    ["x -- --force", { a: "x", b: "--", c: "--force" }],
    ["  ", null],
    ["--a=1 --d=2", null],
    ["--a=1 --b=2 --c=3 more", null],
  ])("of %j are %j", (typed, wanted) => {
    if (wanted === null) expect(() => promptArguments("s:p", typed, declared)).toThrow(/Write: \/s:p --a/u);
    else expect(promptArguments("s:p", typed, declared)).toEqual(wanted);
  });

  it("that are not declared are not dropped in silence", () => {
    expect(() => promptArguments("s:p", "please", [])).toThrow(/takes no argument for "please"/u);
  });
});
