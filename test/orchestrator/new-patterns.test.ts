import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBinder, createCodeMap } from "../../src/codemap/index.js";
import { formatDeposit, parseDeposit, readMemories } from "../../src/knowledge/index.js";
import { newPatterns, patternDeposit } from "../../src/orchestrator/new-patterns.js";
import { type MappedCheckout, mappedCheckout, signal } from "../support/mapped-checkout.js";

let checkout: MappedCheckout;
beforeEach(async () => {
  checkout = await mappedCheckout();
});
afterEach(async () => {
  await checkout.close();
});

const MONEY =
  "/** Formats an amount in its currency. */\nexport function formatMoney(amount: number) {\n  return `${amount} EUR`;\n}\n";
const caller = (name: string, times = 1, from = "./money.js") =>
  `import { formatMoney } from "${from}";\nexport const ${name} = (n: number) => ${Array.from({ length: times }, () => "formatMoney(n)").join(" + ")};\n`;

/** What a change brings that turns one set of files into another. */
async function patternsOf(before: Record<string, string>, after: Record<string, string>) {
  checkout.write({ "README.md": "x\n", ...before });
  await checkout.commit("before");
  checkout.write(after);
  for (const gone of Object.keys(before).filter((path) => after[path] === ""))
    await checkout.run(["rm", "-qf", gone]);
  await checkout.commit("after");
  const diff = await checkout.run(["diff", "HEAD~1", "HEAD"]);
  const { index } = await checkout.open();
  const map = createCodeMap({ index, binder: createBinder(index), read: () => Promise.resolve(null) });
  await map.refresh(signal);
  return newPatterns(map, diff, new Map(Object.entries(before)));
}

describe("a code pattern appears", () => {
  it("when a change adds a function that is called from three places outside of its own file", async () => {
    const found = await patternsOf(
      {},
      { "src/money.ts": MONEY, "src/a.ts": caller("a"), "src/b.ts": caller("b", 2) },
    );
    expect(found.map(({ symbol, files, calls }) => [symbol.key, files, calls])).toEqual([
      ["src/money.ts#formatMoney", ["src/a.ts", "src/b.ts"], 3],
    ]);
  });

  it("not with fewer, nor with calls of its own file and of tests", async () => {
    const found = await patternsOf(
      {},
      {
        "src/money.ts": `${MONEY}export const twice = (n: number) => formatMoney(n) + formatMoney(n) + formatMoney(n);\n`,
        "src/a.ts": caller("a", 2),
        "test/money.test.ts": caller("t", 3, "../src/money.js"),
      },
    );
    expect(found).toEqual([]);
  });

  it("not when it stood there before, or was only moved", async () => {
    const used = { "src/a.ts": caller("a"), "src/b.ts": caller("b"), "src/c.ts": caller("c") };
    expect(
      await patternsOf({ "src/money.ts": MONEY }, { "src/money.ts": `${MONEY}// more\n`, ...used }),
    ).toEqual([]);
    const moved = { "src/money.ts": "", "src/cash.ts": MONEY, "src/a.ts": caller("a", 3, "./cash.js") };
    expect(await patternsOf({ "src/money.ts": MONEY, "src/a.ts": caller("a") }, moved)).toEqual([]);
  });

  it("is a memory that is linked to its definition", async () => {
    const [found] = await patternsOf({}, { "src/money.ts": MONEY, "src/a.ts": caller("a", 3) });
    if (!found) throw new Error("no pattern");
    const deposit = patternDeposit(found, MONEY.trim(), {
      run: "01JAAAAAAAAAAAAAAAAAAAAA00",
      by: "accrue[bot]",
      source: "",
      requirement: "REQ-1",
      at: "2026-11-30T10:00:00.000Z",
      language: "en",
    });
    const path = `context/deposits/${deposit.id}.md`;
    expect(parseDeposit(path, formatDeposit(deposit)).problems).toEqual([]);
    const [memory] = readMemories(new Map([[path, formatDeposit(deposit)]])).memories;
    expect(memory).toMatchObject({ type: "pattern", source: "pattern" });
    expect(memory?.symbols).toContain("src/money.ts#formatMoney");
    expect(deposit.note.related).toEqual([
      "REQ-1",
      expect.stringMatching(/^`src\/money\.ts` @ `formatMoney` sha256:[0-9a-f]{16}$/),
    ]);
    expect(memory?.text).toContain("Formats an amount in its currency.");
  });
});
