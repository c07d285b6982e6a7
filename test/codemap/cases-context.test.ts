import { expect, test } from "vitest";
import { createContext } from "../../src/context/index.js";
import { openMapDatabase } from "../../src/codemap/index.js";
import { mappedCheckout, signal } from "../support/mapped-checkout.js";

/** A long file of a project's ordinary code, with the one function that a task is about far down in it. */
function longFile(): string {
  const filler = Array.from(
    { length: 600 },
    (_, at) =>
      `export function step${at}(order: Order): Order {\n  const total = order.lines.length + ${at};\n  return { ...order, total };\n}\n`,
  );
  const wanted =
    "/** Applies a voucher's discount to an invoice and rounds the remainder. */\nexport function applyVoucherDiscount(invoice: Invoice, voucher: Voucher): Invoice {\n  const discount = invoice.total * voucher.rate;\n  return { ...invoice, total: roundRemainder(invoice.total - discount) };\n}\n";
  return [...filler.slice(0, 450), wanted, ...filler.slice(450)].join("\n");
}

test("CM-23 a large file is not pushed away by its size: it comes first, with the part that the task is about", async () => {
  const checkout = await mappedCheckout();
  try {
    const small = Array.from(
      { length: 300 },
      (_, at) =>
        [
          `src/part-${at}.ts`,
          `export function invoice${at}(total: number): number {\n  return total + ${at};\n}\n`,
        ] as const,
    );
    checkout.write({ "src/billing.ts": longFile(), ...Object.fromEntries(small) });
    await checkout.commit("first");
    const { index } = await checkout.open();
    await index.refresh({}, signal);
    const db = openMapDatabase(checkout.database, () => {});
    const context = createContext({
      db,
      index,
      read: async (path) =>
        Buffer.from(
          path === "src/billing.ts" ? longFile() : (new Map<string, string>(small).get(path) ?? ""),
        ),
      history: async () => [],
    });
    const { items } = await context.pack(
      "A voucher's discount on an invoice rounds the remainder the wrong way",
      { maxTokens: 3000 },
    );
    const code = items.filter(({ tier }) => tier === "code");
    expect(code[0]?.path).toBe("src/billing.ts");
    const found = code.find(({ text }) => text.includes("roundRemainder(invoice.total - discount)"));
    expect(found).toMatchObject({ path: "src/billing.ts", why: expect.stringContaining("best part 1.00") });
    db.close();
  } finally {
    await checkout.close();
  }
});
