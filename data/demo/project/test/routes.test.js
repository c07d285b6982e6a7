import assert from "node:assert/strict";
import { test } from "node:test";
import { route } from "../src/http/routes.js";

const stores = { user: { list: () => [{ id: 1, name: "Ada", email: "a@b.c" }] }, order: { list: () => [] } };

test("an export is answered with its content type", () => {
  const answer = route("GET", "/user/export.json", stores);
  assert.equal(answer.status, 200);
  assert.equal(answer.type, "application/json; charset=utf-8");
});

test("an unknown format is not found", () => {
  assert.equal(route("GET", "/user/export.xml", stores).status, 404);
});
