import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatRule,
  isStill,
  mergeKnowledge,
  parseNote,
  parseRules,
  stateOf,
  type Rule,
} from "../../src/knowledge/index.js";
import { aRule } from "./samples.js";

const RISK = "context/rules/risk-rules.md";
const NOTE = "context/experience/a.md";

function merged(path: string, base: string, ours: string, theirs: string) {
  const tree = (text: string) => new Map([[path, text]]);
  const { writes, problems } = mergeKnowledge(tree(base), tree(ours), tree(theirs));
  return { text: writes.has(path) ? writes.get(path) : ours, problems };
}
const rule = (changes: Partial<Rule>) => formatRule(aRule({ load: [], suggest: [], ...changes }));

/** The fields that the model below knows. */
interface Small {
  title: string;
  level: "warn" | "high";
  alert: string;
  keywords: string[];
  prose: string;
}
const IDS = ["R-AAAAAA", "R-BBBBBB", "R-CCCCCC", "R-DDDDDD"];
const word = fc.constantFrom("a", "bb", "钱包", "c d");
const small: fc.Arbitrary<Small> = fc.record({
  title: word,
  level: fc.constantFrom("warn", "high"),
  alert: word,
  keywords: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
  prose: fc.constantFrom("", "Why.", "为什么。\n\nBecause."),
});
const file = fc.dictionary(fc.constantFrom(...IDS), small, { noNullPrototype: true });
const textOf = (rules: Record<string, Small>) =>
  `# Rules\n\n${Object.entries(rules)
    .map(([id, fields]) => rule({ id, ...fields }))
    .join("\n")}`;

/** What each side should see, said as simply as it can be: field by field, lists item by item. */
function model(base: Small | undefined, ours: Small | undefined, theirs: Small | undefined): Small[] {
  const text = (value: unknown) => JSON.stringify(value);
  if (text(ours) === text(theirs)) return ours ? [ours] : [];
  if (text(base) === text(ours)) return theirs ? [theirs] : [];
  if (text(base) === text(theirs)) return ours ? [ours] : [];
  if (!ours || !theirs) return [ours ?? theirs].filter((side) => side !== undefined);
  if (!base) return [ours, theirs];
  const result = { ...ours };
  for (const key of ["title", "level", "alert", "prose"] as const) {
    if (ours[key] === theirs[key] || base[key] === theirs[key]) continue;
    if (base[key] !== ours[key]) return [ours, theirs];
    Object.assign(result, { [key]: theirs[key] });
  }
  const all = [...ours.keywords, ...theirs.keywords, ...base.keywords];
  const isIn = (item: string) =>
    base.keywords.includes(item)
      ? ours.keywords.includes(item) && theirs.keywords.includes(item)
      : ours.keywords.includes(item) || theirs.keywords.includes(item);
  result.keywords = [...new Set(all)].filter(isIn);
  return [result];
}

describe("merging rule files", () => {
  it("agrees with a simple model in 2,000 random merges (KN-53)", () => {
    fc.assert(
      fc.property(file, file, file, fc.constantFrom(0, 1, 2), (base, a, b, near) => {
        // Most merges change a part only: the other rules are those of the base.
        const ours = near > 0 ? { ...base, ...Object.fromEntries(Object.entries(a).slice(0, near)) } : a;
        const theirs = near > 0 ? { ...base, ...Object.fromEntries(Object.entries(b).slice(0, near)) } : b;
        const { text } = merged(RISK, textOf(base), textOf(ours), textOf(theirs));
        const { rules, problems } = parseRules(RISK, text ?? "", "risk");
        expect(problems.filter(({ code }) => code !== "rule-no-trigger")).toEqual([]);
        const view = (fields: Small | Rule) =>
          JSON.stringify([
            fields.title,
            fields.level,
            fields.alert,
            fields.keywords.toSorted(),
            fields.prose,
          ]);
        // A rule whose last keyword went on one side each has no trigger any more, and is reported as such.
        const wanted = IDS.flatMap((id) => model(base[id], ours[id], theirs[id])).filter(
          ({ keywords }) => keywords.length > 0,
        );
        expect(rules.map(view).toSorted()).toEqual(wanted.map(view).toSorted());
      }),
      { numRuns: 2000, seed: 5 },
    );
  });

  it("joins lists, takes each changed key, and keeps every other byte (KN-53)", () => {
    const base =
      "# Mine\r\n\r\n## Odd heading\r\nkeep  me\r\n\r\n## R-AAAAAA A\r\n- level: warn\r\n- keywords: a, b\r\n- x-owner: kim\r\n- 提醒： old\r\n";
    const ours = base.replace("a, b", "a, b, c").replace("keep  me", "keep  me\r\n\tmore");
    const theirs = base.replace("a, b", "b, d").replace("old", "new");
    const { text, problems } = merged(RISK, base, ours, theirs);
    expect(problems).toEqual([]);
    expect(text).toBe(
      "# Mine\r\n\r\n## Odd heading\r\nkeep  me\r\n\tmore\r\n\r\n## R-AAAAAA A\r\n- level: warn\r\n- keywords: b, d, c\r\n- x-owner: kim\r\n- 提醒： new\r\n",
    );
  });

  it("keeps both of what both changed, the other as a draft, and says so (KN-04, KN-41, KN-48)", () => {
    const at = (seconds: number) => rule({ id: "R-AAAAAA", alert: `within ${seconds} seconds` });
    const { text, problems } = merged(RISK, at(5), at(1), at(9));
    const { rules } = parseRules(RISK, text ?? "", "risk");
    expect(rules.map(({ id, status, alert }) => [id === "R-AAAAAA", status, alert])).toEqual([
      [true, "active", "within 1 seconds"],
      [false, "draft", "within 9 seconds"],
    ]);
    expect(problems).toMatchObject([
      { code: "merge-conflict", message: expect.stringContaining("R-AAAAAA was changed on both") },
    ]);
    const again = merged(RISK, at(5), text ?? "", at(9));
    expect(again.text?.match(/within 9 seconds/g)).toHaveLength(1);
  });

  it("takes ids of another case for the same (KN-49)", () => {
    const base = rule({ id: "R-AAAAAA" });
    const { text } = merged(RISK, base, base.replace("R-AAAAAA", "r-aaaaaa"), base.replace("high", "warn"));
    expect(text?.match(/^## /gm)).toHaveLength(1);
  });

  it("of a side with conflict markers is refused loudly, and changes nothing (KN-54)", () => {
    const base = rule({ id: "R-AAAAAA" });
    const broken = `<<<<<<< ours\n${base}=======\n>>>>>>> theirs\n`;
    const { text, problems } = merged(RISK, base, rule({ id: "R-AAAAAA", alert: "x" }), broken);
    expect(text).toBe(rule({ id: "R-AAAAAA", alert: "x" }));
    expect(problems.map(({ line, code }) => [line, code])).toContainEqual([1, "conflict-marker"]);
  });

  it("keeps a rule that one side changed and the other deleted", () => {
    const [a, b] = [rule({ id: "R-AAAAAA" }), rule({ id: "R-BBBBBB" })];
    const { text, problems } = merged(RISK, `${a}\n${b}`, a, `${a}\n${b.replace("high", "warn")}`);
    expect(parseRules(RISK, text ?? "", "risk").rules.map(({ id }) => id)).toEqual(["R-AAAAAA", "R-BBBBBB"]);
    expect(problems[0]?.message).toContain("deleted on the other");
  });
});

describe("merging notes", () => {
  const base =
    "---\nid: EXP-AAAAAAAA\nx-owner: kim # keep\nstatus: active\n---\n\n# T\n\n## Triggers\n\n- keywords: a\n- b\n\n## Solution\n\nold\n\n## Notes\n\n free  \n";

  it("takes heads by key, sections by heading and triggers by line (KN-53)", () => {
    const ours = base.replace("- b\n", "- b\n- ours\n").replace("status: active", "status: stale");
    const theirs = base.replace("- b\n", "- theirs\n").replace("old", "new");
    const { text, problems } = merged(NOTE, base, ours, theirs);
    expect(problems).toEqual([]);
    const { note } = parseNote(NOTE, text ?? "");
    expect(note).toMatchObject({ status: "stale", solution: "new", triggers: { text: ["theirs", "ours"] } });
    expect(text).toContain("x-owner: kim # keep\n");
  });

  it("keeps both texts of a section and both values of a key (KN-48)", () => {
    const { text, problems } = merged(
      NOTE,
      base,
      base.replace("old", "one second").replace("active", "stale"),
      base.replace("old", "nine seconds").replace("active", "retired"),
    );
    expect(text).toContain("one second\n\nnine seconds");
    expect(text).toContain("status: stale\nx-other-status: retired\n");
    expect(problems.map(({ code }) => code)).toEqual(["merge-conflict", "merge-conflict"]);
  });

  it("gives what only one side changed byte for byte", () => {
    const theirs = base.replace("old", "new\r");
    expect(merged(NOTE, base, base, theirs)).toEqual({ text: theirs, problems: [] });
  });
});

describe("compare and set", () => {
  it("sees a file that was written, made or deleted meanwhile (KN-48)", () => {
    const tree = new Map([["a", "1"]]);
    const seen = stateOf(tree, ["a", "b"]);
    expect(isStill(tree, seen)).toBe(true);
    expect(isStill(new Map([["a", "2"]]), seen)).toBe(false);
    expect(
      isStill(
        new Map([
          ["a", "1"],
          ["b", ""],
        ]),
        seen,
      ),
    ).toBe(false);
    expect(isStill(new Map(), seen)).toBe(false);
  });
});
