import assert from "node:assert/strict";
import { test } from "node:test";
import { usersToJson } from "../src/user/json.js";
import { createUserStore } from "../src/user/store.js";

test("a user is found by id", () => {
  const store = createUserStore();
  store.add({ id: 1, name: "Ada", email: "ada@example.org" });
  assert.equal(store.find(1).name, "Ada");
  assert.equal(store.find(2), null);
});

test("two users cannot share an id", () => {
  const store = createUserStore();
  store.add({ id: 1, name: "Ada", email: "ada@example.org" });
  assert.throws(() => store.add({ id: 1, name: "Bob", email: "bob@example.org" }), /exists already/);
});

test("users as JSON hold the export columns only", () => {
  assert.deepEqual(JSON.parse(usersToJson([{ id: 1, name: "Ada", email: "a@b.c", password: "x" }])), [{ id: 1, name: "Ada", email: "a@b.c" }]);
});
