import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenMap, createCheckoutTree, openCodeMap } from "../../src/codemap/index.js";
import { createFilePast } from "../../src/git/index.js";
import { type MappedCheckout, mappedCheckout, signal } from "../support/mapped-checkout.js";

const PAY = "export function pay(order: string): string {\n  return charge(order, 'card');\n}\n";
const CHARGE = "export function charge(order: string, by: string): string {\n  return order + by;\n}\n";
const REFUND =
  "export class Refunds {\n  send(id: string): string {\n    return `${id} sent at once`;\n  }\n}\n";

let checkout: MappedCheckout;
let opened: OpenMap;
beforeAll(async () => {
  checkout = await mappedCheckout();
  const { git, folder, run, write, commit } = checkout;
  write({ "src/pay.ts": PAY + CHARGE, "src/refunds.ts": REFUND, "src/a.ts": "export function same() {}\n" });
  write({ "src/b.ts": "export function same() {}\n", "test/pay.test.ts": "function onlyTested() {}\n" });
  await commit("one");
  write({ "src/money/front.ts": "" });
  await run(["mv", "src/refunds.ts", "src/money/back.ts"]);
  write({ "src/card.ts": CHARGE, "src/pay.ts": PAY.replace("pay(", "settle(") });
  await commit("two");
  const place = {
    tree: createCheckoutTree(git, folder),
    database: checkout.database,
    past: createFilePast(git, "HEAD", { folder, signal }),
  };
  opened = await openCodeMap({ now: () => 1_700_000_000_000, warn: () => {} }, place);
  await opened.map.refresh(signal);
});
afterAll(async () => {
  await opened.close();
  await checkout.close();
});
const symbols = async (...names: string[]) =>
  Object.fromEntries((await opened.map.follow({ files: [], symbols: names })).symbols);

describe("following what somebody wrote down", () => {
  it("keeps what is where it was, and completes a name that is defined once", async () => {
    expect(await symbols("src/a.ts#same", "src/a.ts#same()", "Refunds::send", "send")).toEqual({
      "src/a.ts#same": "src/a.ts#same",
      "src/a.ts#same()": "src/a.ts#same",
      "Refunds::send": "src/money/back.ts#Refunds.send",
      send: "src/money/back.ts#Refunds.send",
    });
  });

  it("finds a definition in its renamed file, and in another file of the tree", async () => {
    expect(await symbols("src/refunds.ts#Refunds.send", "src/pay.ts#charge")).toEqual({
      "src/refunds.ts#Refunds.send": "src/money/back.ts#Refunds.send",
      "src/pay.ts#charge": "src/card.ts#charge",
    });
    const { files } = await opened.map.follow({ files: ["src/refunds.ts", "src", "src/x.ts"], symbols: [] });
    expect(Object.fromEntries(files)).toEqual({ "src/refunds.ts": "src/money/back.ts" });
  });

  it("finds a definition that was only renamed, by its unchanged body", async () => {
    expect(await symbols("src/pay.ts#pay")).toEqual({ "src/pay.ts#pay": "src/pay.ts#settle" });
  });

  it("says nothing where several fit, only a test does, or none ever was", async () => {
    expect(await symbols("same", "onlyTested", "src/pay.ts#never", "src/never.ts#same")).toEqual({});
  });
});
