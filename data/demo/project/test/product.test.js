import assert from "node:assert/strict";
import { test } from "node:test";
import { productsToJson } from "../src/product/json.js";
import { createProductStore } from "../src/product/store.js";
import { samples } from "../testing/samples.js";

test("a product needs a name and a price", () => {
  const store = createProductStore();
  assert.throws(() => store.add({ name: " ", cents: 1 }), /name is missing/);
  assert.throws(() => store.add({ name: "Tea", cents: 0 }), /cents has to be a whole number from 1/);
});

test("what a store gave out does not change behind its back", () => {
  const store = createProductStore();
  const before = store.add({ name: "Tea", cents: 250, stock: 3 });
  store.take("p-1", 2);
  assert.equal(before.stock, 3);
  assert.throws(() => Object.assign(before, { stock: 9 }), TypeError);
});

test("products as JSON have a price that people can read", () => {
  assert.equal(JSON.parse(productsToJson([samples.product()]))[0].price, "2.50");
});
