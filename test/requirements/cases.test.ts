// The cases of specs, requirements and change that other systems' users reported, and which test holds each.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const TESTS = fileURLToPath(new URL("../", import.meta.url));
const ROWS =
  "KN-01 KN-02 KN-04 KN-05 KN-07 KN-08 KN-10 KN-11 KN-13 KN-14 KN-17 KN-19 KN-20 KN-22 KN-23 KN-25 KN-26 KN-28 KN-29 KN-31";
/** Rows that are no input, each with the reason. */
const NO_INPUT: Readonly<Record<string, string>> = {
  "KN-20":
    "It asks for specifications of a module that outlive a change. They are knowledge here: a document of its service in " +
    "context/tech/services/, which is reviewed with the code; a requirement is filed when it is completed.",
};

/** Ids of cases in the tests of this project; this file only lists them. */
function casesInTests(): Set<string> {
  const files = readdirSync(TESTS, { recursive: true, encoding: "utf8" });
  const tests = files.filter(
    (file) => file.endsWith(".test.ts") && !file.endsWith("requirements/cases.test.ts"),
  );
  const texts = tests.map((file) => readFileSync(join(TESTS, file), "utf8"));
  return new Set(texts.flatMap((text) => text.match(/\bKN-\d+[a-z]?\b/g) ?? []));
}

describe("a reported case of specs and change", () => {
  const tested = casesInTests();

  it.each(ROWS.split(" "))("%s has a test, or a reason why it is no input", (id) => {
    expect(tested.has(id)).toBe((NO_INPUT[id] ?? "") === "");
  });

  it("is given a reason only if it is one of them", () => {
    expect(ROWS.split(" ")).toEqual(expect.arrayContaining(Object.keys(NO_INPUT)));
  });
});
