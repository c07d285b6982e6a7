import { describe, expect, it } from "vitest";
import { factsOfFixture } from "./facts-of.js";

describe("Bash", () => {
  it("gives every definition with its qualified name, its lines and whether others may use it", async () => {
    const { symbols } = await factsOfFixture("bash/store.sh");
    expect(symbols).toEqual([
      "constant LIMIT 7-7",
      "variable STORE_HOME 8-8",
      "variable count 9-9",
      "function put 12-17",
      "function check 19-21",
      "function main 28-32",
    ]);
  });

  it("gives names in use with their receivers, and leaves out locals", async () => {
    const { references } = await factsOfFixture("bash/store.sh");
    expect(references).toEqual(
      expect.arrayContaining([
        "14 call check -> check",
        "16 call log_line",
        "16 use LIMIT -> LIMIT",
        "20 call shelf_has",
        "30 call put -> put",
        "34 call main -> main",
      ]),
    );
  });

  it("gives imports", async () => {
    const { facts } = await factsOfFixture("bash/store.sh");
    expect(facts.imports.map(({ kind, source, bindings }) => ({ kind, source, bindings }))).toEqual([
      { kind: "include", source: "/shelf.sh", bindings: [] },
      { kind: "include", source: "./lib/log.sh", bindings: [] },
    ]);
  });
});
