import * as fc from "fast-check";
import type { Query, Rule } from "../../src/knowledge/index.js";

/** A rule of its kind with everything it needs, to vary in tests. */
export function aRule(changes: Partial<Rule> = {}): Rule {
  return {
    id: "R-7K3M2P",
    title: "Title",
    kind: "risk",
    level: "high",
    status: "active",
    match: "any",
    keywords: ["wallet"],
    paths: [],
    labels: [],
    symbols: [],
    services: [],
    phases: [],
    load: ["context/tech/a.md"],
    alert: "Check the wallet",
    suggest: ["wallet-service"],
    check: "",
    source: "",
    prose: "",
    file: "context/rules/risk-rules.md",
    line: 1,
    ...changes,
  };
}

/** A query with nothing in it but what the test says. */
export function aQuery(changes: Partial<Query> = {}): Query {
  return { text: "", paths: [], labels: [], symbols: [], phase: null, ...changes };
}

const character = fc.oneof(
  fc.constantFrom(..."abcXYZ019 钱包商品,，、:：`*_#<>[](){}|\\\"'-+~=@/.!?".split("")),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
);

/** Text on one line, with everything that could be mistaken for structure except a comment's start. */
export const lineText = fc
  .array(character, { minLength: 1, maxLength: 20 })
  .map((chars) => chars.join("").replaceAll("<!--", "").replace(/\s+/g, " ").trim() || "x");

/** Items of a list. */
export const words = fc.array(lineText, { maxLength: 4 });
