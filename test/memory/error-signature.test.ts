import { describe, expect, it } from "vitest";
import { errorSignature, errorSignatures } from "../../src/memory/index.js";

const idOf = (message: string, of?: string) => errorSignature(message, of)?.id;

describe("the signature of an error", () => {
  it.each([
    [
      "paths and lines",
      "/tmp/a1/src/user.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.",
      "/home/ci/w/src/order.ts(3,1): error TS2322: Type 'string' is not assignable to type 'number'.",
    ],
    [
      "a Windows path",
      "C:\\work\\a.py:10: TypeError: unsupported operand",
      "/srv/b.py:77: TypeError: unsupported operand",
    ],
    [
      "addresses of memory",
      "panic: invalid memory address at 0xc0000140a0",
      "panic: invalid memory address at 0xc00001ffff",
    ],
    [
      "addresses of machines",
      "Error: connect ECONNREFUSED 127.0.0.1:5432",
      "Error: connect ECONNREFUSED 10.0.0.7:6000",
    ],
    ["durations", "Error: Timeout of 2000ms exceeded", "Error: Timeout of 1.5 s exceeded"],
    [
      "ids",
      "Error: order 7f3c2a91-0b6e-4c55-9a7e-1b2c3d4e5f60 is gone",
      "Error: order 11111111-2222-3333-4444-555555555555 is gone",
    ],
    ["hashes", "fatal: bad object 7f3c2a910b6e", "fatal: bad object 00ff19cafe21"],
    ["times", "Error: no row since 2026-11-30T10:00:00.000Z", "Error: no row since 2025-01-02T03:04:05Z"],
    ["numbers and case", "error: 3 rows expected, got 4", "Error: 12 rows expected, got 0"],
  ])("has no %s in it", (_, one, other) => {
    expect(idOf(one)).toBeDefined();
    expect(idOf(one)).toBe(idOf(other));
  });

  it.each([
    [
      "Type 'string' is not assignable to type 'number'.",
      "Type 'string' is not assignable to type 'boolean'.",
    ],
    ["error TS2322: Type is wrong", "error TS2345: Type is wrong"],
    ["TypeError: x is not a function", "TypeError: y is not a function"],
    ["Cannot find module 'left-pad'", "Cannot find module 'right-pad'"],
  ])("tells %s from another", (one, other) => {
    expect(idOf(one)).not.toBe(idOf(other));
  });

  it("of an assertion has the test in it, because every assertion sounds alike; of a named error it has not", () => {
    const assertion = "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 1 !== 2";
    expect(idOf(assertion, "adds")).not.toBe(idOf(assertion, "subtracts"));
    expect(idOf("TypeError: x is not a function", "adds")).toBe(idOf("TypeError: x is not a function", "b"));
  });

  it("of an assertion is the same, whether a tool prints its kind or only the two values", () => {
    const named = idOf("AssertionError [ERR_ASSERTION]: 1 == 2", "two is 2");
    expect(named).toBeDefined();
    expect(idOf("1 == 2", "two is 2")).toBe(named);
    expect(idOf("1 == 2", "three is 3")).not.toBe(named);
  });

  it("is none where nothing is said", () => {
    for (const text of ["", "12 34", "/tmp/a.js:3", "=====", "  \n"]) expect(errorSignature(text)).toBeNull();
  });
});

describe("the errors of an output", () => {
  it("are its named ones, without summaries, stacks and counts", () => {
    const output = [
      "> node --test",
      "TAP version 13",
      "not ok 1 - adds",
      "  failureType: 'testCodeFailure'",
      "TypeError: Cannot read properties of undefined (reading 'id')",
      "    at Object.<anonymous> (/tmp/x/src/a.js:3:7)",
      "# fail 1",
      "npm ERR! Test failed.",
    ].join("\n");
    expect(errorSignatures(output).map(({ text }) => text)).toEqual([
      "TypeError: Cannot read properties of undefined (reading 'id')",
    ]);
  });

  it("are what says that it failed where none is named, each once and at most five", () => {
    expect(errorSignatures("curl: could not resolve host\ncurl: could not resolve host")).toHaveLength(1);
    const many = Array.from({ length: 9 }, (_, at) => `${"abcdefghi"[at]}Error: broken`).join("\n");
    expect(errorSignatures(many).length).toBeLessThanOrEqual(5);
    expect(errorSignatures("12 passed, 0 failed\nall is well")).toEqual([]);
  });

  it("are found in a large output of nothing in particular in no time worth naming", () => {
    expect(errorSignatures(`${"a/".repeat(200_000)}\n${"1".repeat(200_000)}`)).toEqual([]);
  });
});
