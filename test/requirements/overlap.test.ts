import { describe, expect, it } from "vitest";
import {
  changedLines,
  changedSince,
  contradictedBy,
  eventPath,
  footprintOf,
  formatEvent,
  formatRequirement,
  issueText,
  logChange,
  overlapOf,
  parseEvents,
  parseRequirement,
  understoodEvent,
} from "../../src/requirements/index.js";
import { requirementId } from "../../src/shared/index.js";

const GROUPS = [["用户激励", "活动奖励"]];
const touching = (id: string, text: string, more: { design?: string; files?: string[] } = {}) =>
  footprintOf(id, {
    criteria: [{ id: "AC-1", text }],
    requirement: "",
    design: more.design ?? "",
    files: more.files ?? [],
  });

describe("two open requirements", () => {
  it("overlap where they touch one thing: a criterion, a rule, a symbol, a file (KN-05, KN-19)", () => {
    const design = "Extends `toCsv()` as R-7K3M2P says.";
    const a = touching("REQ-1", "WHEN 活动奖励 is due THEN it is paid", { design, files: ["src/csv.ts"] });
    const b = touching("REQ-2", "WHEN 用户激励 is due THEN it is paid", {
      design: "See R-7K3M2P, `src/csv.ts#toCsv`.",
      files: ["src/csv.ts", "test/csv.test.ts"],
    });
    expect(overlapOf(a, b, GROUPS).map(({ kind, what }) => `${kind} ${what}`)).toEqual([
      "criterion WHEN 用户激励 is due THEN it is paid",
      "rule R-7K3M2P",
      "symbol toCsv",
      "file src/csv.ts",
    ]);
    expect(overlapOf(a, b).map(({ kind }) => kind)).toEqual(["rule", "symbol", "file"]);
  });

  it("overlap where one names a criterion of the other, and not because both have an AC-1", () => {
    const a = touching("REQ-1", "WHEN it is late THEN a fee is due");
    expect(overlapOf(touching("REQ-2", "as REQ-1/AC-1, but at once"), a)).toMatchObject([
      { kind: "criterion", a: "AC-1", b: "AC-1" },
    ]);
    expect(overlapOf(touching("REQ-2", "WHEN it is paid THEN it is closed"), a)).toEqual([]);
  });

  it("do not overlap in files that every change touches", () => {
    const files = ["package.json", "README.md", "CHANGELOG.md", "yarn.lock"];
    expect(overlapOf(touching("REQ-1", "one", { files }), touching("REQ-2", "two", { files }))).toEqual([]);
  });

  it("of two clones have ids of their own: the issue's number, or a day with a chance (KN-22)", () => {
    const clock = { now: () => Date.parse("2026-11-29T10:00:00Z") };
    expect(requirementId(1332, clock)).toBe("REQ-1332");
    const [a, b] = [requirementId(null, clock), requirementId(null, clock)];
    expect(a).toMatch(/^REQ-20261129-[0-9A-Z]{6}$/);
    expect(a).not.toBe(b);
  });
});

describe("a later requirement", () => {
  it.each([
    [
      "WHEN a user gives the right password THEN they are logged in",
      "WHEN a user gives the right password THEN a code is asked for",
    ],
    ["当用户输入正确密码时，则登录成功", "当用户输入正确密码时，则要求输入验证码"],
    ["It logs in", "WHEN a code is given THEN REQ-1/AC-1 holds no more"],
  ])("is seen to make an earlier criterion wrong: %s (KN-17)", (before, after) => {
    expect(contradictedBy(touching("REQ-9", after), touching("REQ-1", before))).toEqual([
      { id: "AC-1", text: before },
    ]);
    expect(contradictedBy(touching("REQ-9", before), touching("REQ-1", before))).toEqual([]);
  });
});

describe("what was understood", () => {
  const draft = {
    title: "Export",
    problem: "By hand.",
    scope: [],
    criteria: [
      { id: "AC-1", text: "within 1 s" },
      { id: "AC-2", text: "as CSV" },
    ],
    nonGoals: [],
    questions: [],
  };
  const document = formatRequirement(draft, {
    id: "REQ-12",
    issue: 12,
    language: "en",
    url: null,
    created: "2026-11-29",
  });
  const event = understoodEvent(
    {
      id: "01JB8Z0000000000000000000A",
      req: "REQ-12",
      run: "01",
      actor: "accrue[bot]",
      at: "2026-11-29T10:00:00Z",
    },
    { issue: issueText("Export", "within 1 s"), document, comments: [], touched: ["AC-1"] },
  );

  it("is an event that is read back", () => {
    const tree = new Map([[eventPath(event), formatEvent(event)]]);
    expect(parseEvents(tree, "REQ-12")).toEqual({ events: [event], problems: [] });
  });

  it("tells which criteria say something else now", () => {
    expect(changedSince(event, parseRequirement(document).criteria)).toEqual([]);
    expect(
      changedSince(event, [
        { id: "AC-1", text: "within 9 s" },
        { id: "AC-3", text: "as PDF" },
      ]),
    ).toEqual(["AC-1", "AC-3", "AC-2"]);
  });

  it("of an issue is what it says: a box that is ticked changes nothing", () => {
    expect(issueText("Export", "- [ ] one\r\n- [ ] two  ")).toBe(
      issueText(" Export ", "- [x] one\n- [ ] two"),
    );
    expect(changedLines(issueText("Export", "a\nb\nb"), issueText("Export", "a\nb\nc"))).toEqual({
      added: ["c"],
      removed: ["b"],
    });
  });

  it("has a change log that people's text stays around", () => {
    const edited = `${document}\n## Rollout\n\nSlowly.\n`;
    const logged = logChange(edited, "2026-12-01: AC-1 changed", "en");
    expect(logged).toContain(
      "- 2026-11-29: Opened from #12\n- 2026-12-01: AC-1 changed\n\n## Rollout\n\nSlowly.\n",
    );
    expect(logChange("# Export\n", "2026-12-01: AC-1 changed", "en")).toBe(
      "# Export\n\n## Change log\n\n- 2026-12-01: AC-1 changed\n",
    );
  });
});
