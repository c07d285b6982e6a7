import assert from "node:assert/strict";
import { test } from "node:test";
import { joinLines, quoteCell } from "../src/lib/cells.js";

test("commas and quotes are quoted", () => {
  assert.equal(quoteCell('a,"b"'), '"a,""b"""');
});

test("a formula is defused", () => {
  assert.equal(quoteCell("=1+1"), "'=1+1");
});

test("lines end in CRLF", () => {
  assert.equal(joinLines(["a", "b"]), "a\r\nb\r\n");
});
