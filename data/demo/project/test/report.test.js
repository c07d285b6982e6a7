import assert from "node:assert/strict";
import { test } from "node:test";
import { createApp } from "../src/app.js";
import { clock } from "../testing/samples.js";

test("the daily report adds up what was sold, and leaves out what was cancelled", () => {
  const { stores, handle } = createApp(clock);
  stores.user.add({ name: "Ada", email: "ada@example.org" });
  stores.product.add({ name: "Tea, green", cents: 250, stock: 10 });
  const oneTea = { customer: "u-1", lines: [{ product: "p-1", pieces: 1 }] };
  for (let count = 0; count < 3; count++) stores.order.add(oneTea);
  stores.order.move("o-1", "paid");
  stores.order.move("o-2", "paid");
  stores.order.move("o-3", "cancelled");
  const { body, headers } = handle({ method: "GET", path: "/report/daily.csv" });
  assert.equal(headers["content-type"], "text/csv; charset=utf-8");
  assert.equal(body, 'product,name,pieces,turnover\r\np-1,"Tea, green",2,5.00\r\n');
});

test("a day that is none is refused", () => {
  const answer = createApp(clock).handle({ method: "GET", path: "/report/daily.csv", query: { day: "today" } });
  assert.equal(answer.status, 400);
});
