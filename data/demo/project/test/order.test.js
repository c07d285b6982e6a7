import assert from "node:assert/strict";
import { test } from "node:test";
import { ordersToJson } from "../src/order/json.js";
import { createOrderStore } from "../src/order/store.js";

test("orders add up", () => {
  const store = createOrderStore();
  store.add({ id: "A", customer: 1, cents: 250 });
  store.add({ id: "B", customer: 1, cents: 50 });
  assert.equal(store.total(), 300);
});

test("an order without a valid amount is refused", () => {
  assert.throws(() => createOrderStore().add({ id: "A", customer: 1, cents: -1 }), /no valid amount/);
});

test("a missing column is null in JSON", () => {
  assert.deepEqual(JSON.parse(ordersToJson([{ id: "A", customer: 1, cents: 5 }])), [{ id: "A", customer: 1, cents: 5, note: null }]);
});
