import assert from "node:assert/strict";
import { test } from "node:test";
import { dayOf, isDay } from "../src/lib/dates.js";
import { formatCents, parseCents } from "../src/lib/money.js";
import { pageOf } from "../src/lib/pages.js";

test("cents are shown with two decimals", () => {
  assert.deepEqual([0, 5, 1234, -250].map(formatCents), ["0.00", "0.05", "12.34", "-2.50"]);
});

test("an amount is read with a point or a comma, or not at all", () => {
  assert.deepEqual(["12.34", "12,3", "12", "1e3", "-1"].map(parseCents), [1234, 1230, 1200, null, null]);
});

test("a day that does not exist is no day", () => {
  assert.deepEqual(["2026-02-28", "2026-02-30", "1.3.2026", null].map(isDay), [true, false, false, false]);
  assert.equal(dayOf(Date.UTC(2026, 0, 31, 23, 59)), "2026-01-31");
});

test("a page says how many there are", () => {
  assert.deepEqual(pageOf(["a", "b", "c"], { page: "2", size: "2" }), { items: ["c"], page: 2, pages: 2 });
  assert.throws(() => pageOf([], { page: "0" }), /has to be 1 or more/);
});
