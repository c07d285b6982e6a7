import { afterAll, describe, expect, it } from "vitest";
import { cleanUp, memory, openStore } from "./support.js";

afterAll(cleanUp);

const SUBJECTS = ["harbour", "museum", "orchard", "theatre", "glacier", "library", "stadium", "monastery"];
const crowd = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    memory(
      `C-${index}`,
      `The ${SUBJECTS[index % 8]} desk number ${index} keeps its papers in drawer ${index * 7}.`,
    ),
  );
const REFUND = memory("M-REFUND", "A refund of a voucher must call Stripe with an idempotency key.");
const sure = { sure: true } as const;

describe("what surely has to do with a question", () => {
  it("is little of what an asker is shown, and nothing where nothing is known", async () => {
    const { keep, find, close } = await openStore();
    await keep([REFUND, ...crowd(300)]);
    expect(await find("Stripe refund twice for one voucher", sure)).toEqual(["M-REFUND"]);
    expect(await find("dark theme for the shop")).not.toEqual([]);
    expect(await find("dark theme for the shop", sure)).toEqual([]);
    close();
  });

  it("needs more than one word among many notes, and one telling word among few", async () => {
    const { keep, find, close } = await openStore();
    await keep([REFUND, ...crowd(2)]);
    expect(await find("print the voucher on a page in the colours of the guest", sure)).toContain("M-REFUND");
    await keep([REFUND, ...crowd(1000)]);
    expect(await find("print the voucher on a page in the colours of the guest", sure)).toEqual([]);
    expect(await find("voucher")).toContain("M-REFUND");
    close();
  });

  it("does not grow with the length of what is asked, nor by numbers and small words", async () => {
    const { keep, find, close } = await openStore();
    await keep([memory("M-TEN", "Ten retries every two minutes, many times, at 5 and 7."), ...crowd(300)]);
    expect(await find("two of ten pages break many times, 5 or 7", sure)).toEqual([]);
    close();
  });

  it("is what names the same symbol, whatever else it says", async () => {
    const { keep, find, close } = await openStore();
    await keep([
      memory("M-SYM", "Never called twice.", { symbols: ["src/pay.ts#refundOrder"] }),
      ...crowd(300),
    ]);
    expect(await find("rename it", { ...sure, symbols: ["refundOrder"] })).toEqual(["M-SYM"]);
    close();
  });
});
