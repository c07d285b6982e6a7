import assert from "node:assert/strict";
import { test } from "node:test";
import { usersToJson } from "../src/user/json.js";
import { createUserStore } from "../src/user/store.js";
import { clock, samples } from "../testing/samples.js";

const ada = { name: "Ada", email: "Ada@Example.org" };

test("an account is found by id and by address", () => {
  const store = createUserStore(clock);
  const user = store.add(ada);
  assert.equal(user.since, "2026-03-01");
  assert.equal(store.find("u-1"), user);
  assert.equal(store.findByEmail("ada@example.org"), user);
  assert.equal(store.find("u-2"), null);
});

test("two accounts cannot share an address, not even with a closed one", () => {
  const store = createUserStore(clock);
  store.add(ada);
  store.close("u-1");
  assert.throws(() => store.add({ ...ada, name: "Bob" }), /belongs to u-1 already/);
});

test("a closed account cannot be changed", () => {
  const store = createUserStore(clock);
  store.add(ada);
  assert.equal(store.change("u-1", { name: "Ada L." }).email, "ada@example.org");
  store.close("u-1");
  assert.throws(() => store.change("u-1", { name: "Eve" }), /is closed/);
});

test("an address that is none is refused", () => {
  assert.throws(() => createUserStore(clock).add({ name: "Ada", email: "nowhere" }), /is no address/);
});

test("users as JSON hold the export columns only", () => {
  const [row] = JSON.parse(usersToJson([samples.user({ password: "x", note: undefined })]));
  assert.deepEqual(Object.keys(row), ["id", "name", "email", "since", "status", "note"]);
  assert.equal(row.note, null);
});
