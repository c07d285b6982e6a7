import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  approvableText,
  archive,
  eventPath,
  formatDesign,
  formatEvent,
  formatIndex,
  formatRequirement,
  logChange,
  parseRequirement,
  requirementFolder,
  stateEvent,
  summaries,
  type RequirementDraft,
  type RequirementSummary,
} from "../../src/requirements/index.js";

const DRAFT: RequirementDraft = {
  title: "Add CSV export: users",
  problem: "People copy users by hand.\n\n## Not a heading of ours",
  scope: ["`src/export`"],
  criteria: [
    { id: "AC-1", text: "WHEN a user exports\nTHEN the file has a header row" },
    { id: "AC-2", text: "WHEN a value has a comma\n\n### AC-9\n\nTHEN it is quoted" },
  ],
  nonGoals: [],
  questions: [
    { question: "Which encoding?", assumed: "UTF-8 with BOM" },
    { question: "Which separator: , or ;?", assumed: "a comma" },
  ],
};
const ABOUT = {
  id: "REQ-12",
  issue: 12,
  language: "en" as const,
  url: "https://github.com/acme/shop/issues/12",
  created: "2026-11-29T10:04:05Z",
};

describe("requirement.md", () => {
  it("has the parts that people expect", () => {
    const text = formatRequirement(DRAFT, ABOUT);
    expect(text.match(/^##? .*$/gm)).toEqual([
      "# Add CSV export: users",
      "## Problem",
      "## Scope",
      "## Acceptance criteria",
      "## Non-goals",
      "## Open questions",
      "## Change log",
    ]);
    expect(text).toContain('title: "Add CSV export: users"\nissue: 12\n');
    expect(text).toContain("- Which encoding? **Assumed:** UTF-8 with BOM");
    expect(text).toContain("## Non-goals\n\nNone.");
    expect(text.endsWith("- 2026-11-29: Opened from #12\n")).toBe(true);
  });

  it("is written in Chinese too", () => {
    const text = formatRequirement(DRAFT, { ...ABOUT, issue: null, url: null, language: "zh" });
    expect(text).toContain("## 验收标准\n\n### AC-1\n");
    expect(text).toContain("- Which encoding? **假定：** UTF-8 with BOM");
    expect(text).not.toContain("issue:");
    expect(parseRequirement(text)).toMatchObject({
      issue: null,
      criteria: DRAFT.criteria,
      questions: DRAFT.questions,
    });
  });

  it("is read back with its criteria and questions", () => {
    const { title, criteria, questions } = DRAFT;
    expect(parseRequirement(formatRequirement(DRAFT, ABOUT))).toEqual({
      title,
      issue: 12,
      url: "https://github.com/acme/shop/issues/12",
      created: "2026-11-29",
      criteria,
      questions,
      changes: ["2026-11-29: Opened from #12"],
    });
  });

  it("is read after people edited it", () => {
    const text =
      "# Export\r\n\r\n## Acceptance criteria\r\n\r\n### AC-1: has a header\r\n\r\n### Later\r\n\r\n## Open questions\r\n\r\n1. Why?\r\n";
    expect(parseRequirement(text)).toEqual({
      title: "Export",
      issue: null,
      url: "",
      created: "",
      criteria: [{ id: "AC-1", text: "has a header" }],
      questions: [{ question: "Why?", assumed: "" }],
      changes: [],
    });
    expect(parseRequirement("")).toEqual({
      title: "",
      issue: null,
      url: "",
      created: "",
      criteria: [],
      questions: [],
      changes: [],
    });
  });

  it("is not swallowed by a code fence that was left open", () => {
    const criteria = [
      { id: "AC-1", text: "WHEN this runs\n```ts\n# x" },
      { id: "AC-2", text: "THEN it works" },
    ];
    const parsed = parseRequirement(formatRequirement({ ...DRAFT, criteria }, ABOUT));
    expect(parsed.criteria.map(({ id }) => id)).toEqual(["AC-1", "AC-2"]);
    expect(parsed.questions).toEqual(DRAFT.questions);
  });

  it("keeps any text of a criterion", () => {
    const line = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom("## x", "### AC-9", "\\# y", "# z", ""),
    );
    const text = fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) =>
      lines
        .map((part) => part.replaceAll(/[`~\r\n\u2028\u2029]/g, ""))
        .join("\n")
        .trim(),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), (texts) => {
        const criteria = texts.map((body, index) => ({ id: `AC-${index + 1}`, text: body }));
        const written = formatRequirement({ ...DRAFT, criteria }, ABOUT);
        expect(parseRequirement(written).criteria).toEqual(criteria);
      }),
    );
  });
});

describe("design.md and tasks.md", () => {
  it("show what is there, what changes and what could go wrong, and leave out empty parts", () => {
    const text = formatDesign({
      id: "REQ-12",
      title: "CSV export",
      language: "en",
      summary: "Adds `toCsv()`.",
      archaeology: [
        { question: "Who exports today?", answer: "Nobody.", pointers: ["src/export/csv.ts:10"] },
      ],
      decisions: ["No new dependency"],
      files: [{ path: "src/export/csv.ts", change: "escape | quote" }],
      risks: [],
      tests: ["test/csv.test.ts"],
    });
    expect(text).toBe(`# Design: REQ-12 CSV export

## What is there already

### Who exports today?

Nobody.

\`src/export/csv.ts:10\`

## Summary

Adds \`toCsv()\`.

## Decisions

- No new dependency

## Files

| file | change |
| --- | --- |
| \`src/export/csv.ts\` | escape \\| quote |

## Tests

- test/csv.test.ts
`);
  });
});

describe("the overview", () => {
  const opened = (req: string) =>
    stateEvent({
      id: "01JB8ZK3QH6X9M4T7V2C5D8E0F",
      req,
      run: "r",
      actor: "lee",
      at: "2026-11-29T10:04:05Z",
      from: null,
      to: "opened",
    });
  const event = (req: string): [string, string] => [eventPath(opened(req)), formatEvent(opened(req))];

  it("names folders that hold", () => {
    expect(requirementFolder("REQ-12", "csv-export", false)).toBe(
      "requirements/in-progress/REQ-12-csv-export",
    );
    expect(requirementFolder("REQ-12", "", true)).toBe("requirements/completed/REQ-12");
  });

  it("lists what has documents or events, its state from the events alone (KN-51)", () => {
    const tree = new Map([
      ["requirements/in-progress/REQ-12-csv/requirement.md", formatRequirement(DRAFT, ABOUT)],
      ["requirements/completed/REQ-9/requirement.md", "# Old\n"],
      ["requirements/in-progress/REQ-20261129-7K3M2P-slug/design.md", "x"],
      event("REQ-12"),
      event("REQ-30"),
    ]);
    expect(
      summaries(tree).map(({ id, title, state, issue, folder }) => [id, title, state, issue, folder]),
    ).toEqual([
      ["REQ-9", "Old", "opened", 9, "requirements/completed/REQ-9"],
      ["REQ-12", "Add CSV export: users", "opened", 12, "requirements/in-progress/REQ-12-csv"],
      ["REQ-30", "REQ-30", "opened", 30, "requirements/in-progress/REQ-30"],
      [
        "REQ-20261129-7K3M2P",
        "REQ-20261129-7K3M2P",
        "opened",
        null,
        "requirements/in-progress/REQ-20261129-7K3M2P-slug",
      ],
    ]);
  });

  it("puts first what wants a person, and counts what it leaves out", () => {
    const one = (id: number, state: RequirementSummary["state"]): RequirementSummary => ({
      id: `REQ-${id}`,
      title: `T[${id}]`,
      state,
      phase: "design",
      issue: id,
      folder: `requirements/in-progress/REQ-${id}`,
    });
    const done = Array.from({ length: 120 }, (_, index) => one(index + 100, "completed"));
    const lines = formatIndex(
      [...done, one(3, "implementing"), one(12, "contested"), one(9, "opened")],
      "en",
    ).split("\n");
    expect(lines.slice(4, 8)).toEqual([
      "- [REQ-12](in-progress/REQ-12/requirement.md) **contested** T\\[12\\] · #12",
      "- [REQ-9](in-progress/REQ-9/requirement.md) **opened** T\\[9\\] · #9",
      "- [REQ-3](in-progress/REQ-3/requirement.md) **implementing** T\\[3\\] · #3",
      expect.stringContaining("REQ-219"),
    ]);
    expect(lines.at(-2)).toBe("- … and 20 more in `completed/`");
    expect(formatIndex([], "zh")).toContain("无。");
  });

  it("moves every document of a completed requirement, and only its own", () => {
    const tree = new Map([
      ["requirements/in-progress/REQ-12-csv/requirement.md", "a"],
      ["requirements/in-progress/REQ-12-csv/notes/x.md", "b"],
      ["requirements/in-progress/REQ-1/requirement.md", "c"],
      event("REQ-12"),
    ]);
    const moves = archive(tree, "REQ-12");
    expect([...moves]).toEqual([
      ["requirements/completed/REQ-12-csv/requirement.md", "a"],
      ["requirements/in-progress/REQ-12-csv/requirement.md", null],
      ["requirements/completed/REQ-12-csv/notes/x.md", "b"],
      ["requirements/in-progress/REQ-12-csv/notes/x.md", null],
    ]);
    expect(archive(new Map([["requirements/completed/REQ-12-csv/requirement.md", "a"]]), "REQ-12").size).toBe(
      0,
    );
  });
});

describe("what people approve of a requirement", () => {
  const about = { id: "REQ-7", issue: 7, language: "zh", url: null, created: "2026-01-02" } as const;
  const document = formatRequirement(DRAFT, about);

  it("stays the same while only its change log grows", () => {
    const logged = logChange(logChange(document, "AC-1 改写", "zh"), "新增 T3", "zh");
    expect(logged).not.toBe(document);
    expect(approvableText(logged)).toBe(approvableText(document));
  });

  it("is another one when a criterion, the problem or a part of people's own below the log changes", () => {
    const edited = [
      document.replace("has a header row", "has no header row"),
      document.replace("by hand", "by mail"),
      `${document}\n## 上线\n\n慢慢来\n`,
    ];
    const texts = [document, ...edited].map(approvableText);
    expect(new Set(texts).size).toBe(4);
  });
});
