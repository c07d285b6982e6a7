import { describe, expect, it } from "vitest";
import { checkProse } from "../../src/services/index.js";

describe("words of a model", () => {
  const text = new Map([["src/a.ts", "export function issue() {}\n"]]);
  const check = (position: { text: string; pointers: string[] }[]) =>
    checkProse({ position, duties: [], pitfalls: [] }, (path) => text.get(path));

  it("lose pointers that lead nowhere, and lines without one", () => {
    const { prose, dropped } = check([
      { text: "Issues goods.", pointers: ["`src/a.ts#issue`", "src/a.ts:9", "src/b.ts"] },
      { text: "Flies.", pointers: ["src/a.ts#fly"] },
    ]);
    expect(prose?.position).toEqual([{ text: "Issues goods.", pointers: ["src/a.ts#issue"] }]);
    expect(dropped).toEqual(["src/a.ts:9", "src/b.ts", "src/a.ts#fly"]);
  });

  it.each([
    "It has ```ts\nissue()\n``` in it.",
    "Goods are { id: number; owner: string }.",
    "Call issue(user: string, amount: number) for it.",
    "func issue(ctx context.Context) is where it begins",
    "Its table is goods (id int, owner int).",
    "It does goods.map((one) => one.id) first.",
  ])("are refused as a whole where code was copied: %s", (copied) => {
    const pointers = ["src/a.ts#issue"];
    expect(
      check([
        { text: "Issues goods.", pointers },
        { text: copied, pointers },
      ]).prose,
    ).toBeNull();
  });

  it.each([
    "Issues goods (see the README), then tells the wallet.",
    "Answers `GET /goods/{id}` and keeps the stock; nothing else.",
    "发放商品，并维护库存。",
  ])("may speak of code: %s", (said) => {
    expect(check([{ text: said, pointers: ["src/a.ts#issue"] }]).prose?.position).toHaveLength(1);
  });
});
