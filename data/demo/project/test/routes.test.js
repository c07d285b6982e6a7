import assert from "node:assert/strict";
import { test } from "node:test";
import { createApp } from "../src/app.js";
import { clock } from "../testing/samples.js";

const get = (path, more = {}) => createApp(clock).handle({ method: "GET", path, ...more });

test("an export is a file with its content type and day", () => {
  const { status, headers } = get("/user/export.json");
  assert.equal(status, 200);
  assert.equal(headers["content-type"], "application/json; charset=utf-8");
  assert.equal(headers["content-disposition"], 'attachment; filename="user-2026-03-01.json"');
});

test("an unknown format is not found, and the answer says which there are", () => {
  const { status, body } = get("/user/export.xml");
  assert.equal(status, 404);
  assert.match(JSON.parse(body).error, /It can be exported as .*json/);
});

test("user data is for managers", () => {
  assert.equal(get("/user/export.json", { role: "clerk" }).status, 403);
  const offered = JSON.parse(get("/exports", { role: "clerk" }).body).map(({ module }) => module);
  assert.deepEqual(offered, ["order", "product"]);
});

test("what is added can be read again", () => {
  const { handle } = createApp(clock);
  const added = handle({ method: "POST", path: "/user", body: { name: "Ada", email: "ada@example.org" } });
  assert.equal(added.status, 201);
  assert.equal(handle({ method: "GET", path: "/user/u-1" }).body, added.body);
  assert.equal(JSON.parse(handle({ method: "GET", path: "/user" }).body).items.length, 1);
});

test("what is wrong with a request is said in a sentence", () => {
  assert.deepEqual(JSON.parse(get("/user/u-9").body), { error: "There is no user u-9." });
  assert.equal(get("/nowhere").status, 404);
  assert.equal(createApp(clock).handle({ method: "DELETE", path: "/user" }).status, 405);
  assert.equal(createApp(clock).handle({ method: "POST", path: "/user", body: {} }).status, 422);
});
