import { describe, expect, it } from "vitest";
import { parseRequirement } from "../../src/requirements/index.js";

describe("requirement.md", () => {
  it.each([
    "#### AC-2 WHEN b",
    "## AC-2: WHEN b",
    "### ac-2 WHEN b",
    "### **AC-2** WHEN b",
    "### **AC-2：** WHEN b",
    "### AC-2.\nWHEN b",
  ])("has a criterion however people write its heading: %s", (heading) => {
    const text = `# T\n\n## Acceptance criteria\n\n### AC-1\n\nWHEN a\n\n${heading}\n`;
    expect(parseRequirement(text).criteria).toEqual([
      { id: "AC-1", text: "WHEN a" },
      { id: "AC-2", text: "WHEN b" },
    ]);
  });

  it("has none in a heading that only begins like one", () => {
    const text = "# T\n\n## Acceptance criteria\n\n### AC-1\n\nWHEN a\n\n##### AC-2\n\n### AC-3-b\n";
    expect(parseRequirement(text).criteria.map(({ id }) => id)).toEqual(["AC-1"]);
  });
});
