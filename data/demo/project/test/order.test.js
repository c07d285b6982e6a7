import assert from "node:assert/strict";
import { test } from "node:test";
import { createApp } from "../src/app.js";
import { ordersToJson } from "../src/order/json.js";
import { clock, samples } from "../testing/samples.js";

function shopWithTea() {
  const { stores } = createApp(clock);
  stores.user.add({ name: "Ada", email: "ada@example.org" });
  stores.product.add({ name: "Tea", cents: 250, stock: 10 });
  return stores;
}

const twoTeas = { customer: "u-1", lines: [{ product: "p-1", pieces: 2 }] };

test("an order keeps the price it was placed with", () => {
  const stores = shopWithTea();
  stores.order.add(twoTeas);
  stores.product.reprice("p-1", 300);
  assert.equal(stores.order.turnoverOf("u-1"), 500);
});

test("an order takes its pieces off the shelf, and a cancelled one gives them back", () => {
  const stores = shopWithTea();
  stores.order.add(twoTeas);
  assert.equal(stores.product.get("p-1").stock, 8);
  stores.order.move("o-1", "cancelled");
  assert.equal(stores.product.get("p-1").stock, 10);
});

test("nobody can order more than is there, nothing, or with a closed account", () => {
  const stores = shopWithTea();
  const elevenTeas = { customer: "u-1", lines: [{ product: "p-1", pieces: 11 }] };
  assert.throws(() => stores.order.add(elevenTeas), /Only 10 pieces/);
  assert.throws(() => stores.order.add({ ...twoTeas, lines: [] }), /lines is empty/);
  stores.user.close("u-1");
  assert.throws(() => stores.order.add(twoTeas), /is closed and cannot order/);
});

test("an order moves through its statuses in order", () => {
  const stores = shopWithTea();
  stores.order.add(twoTeas);
  assert.throws(() => stores.order.move("o-1", "sent"), /cannot become sent. It can become paid or cancelled/);
  for (const status of ["paid", "sent", "done"]) assert.equal(stores.order.move("o-1", status).status, status);
  assert.throws(() => stores.order.move("o-1", "lost"), /is no status/);
});

test("orders as JSON have their total", () => {
  assert.equal(JSON.parse(ordersToJson([samples.order()]))[0].total, "5.00");
});
