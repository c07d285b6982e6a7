import { describe, expect, it } from "vitest";
import { ownRequirement, requirementBranch } from "../../src/orchestrator/requirement-branch.js";

const DEFAULT = "agent/{requirement}-{slug}";
const mirrorOf = (...names: string[]) => ({
  branches: () => Promise.resolve(names.map((name) => ({ name, sha: "0" }))),
});

describe("the branch of a requirement", () => {
  it.each([
    [DEFAULT, "agent/REQ-12-make-it-blue"],
    ["agent/{requirement}", "agent/REQ-12"],
    ["{slug}/{requirement}", "make-it-blue/REQ-12"],
    ["work/{slug}-{requirement}", "work/make-it-blue-REQ-12"],
    ["{requirement}_{slug}", "REQ-12_make-it-blue"],
  ])("is named after the pattern %s, and found again under another title", async (pattern, name) => {
    const of = { pattern, requirement: "REQ-12" };
    expect((await requirementBranch(mirrorOf(), { ...of, title: "Make it blue" })).branch).toBe(name);
    const again = await requirementBranch(mirrorOf("main", name), { ...of, title: "Make it red" });
    expect(again.branch).toBe(name);
  });

  it("is none that a person named after it, and none of a longer number", async () => {
    const mirror = mirrorOf("a-maya/REQ-12-notes", "agent/REQ-123-other", "REQ-12");
    const of = { pattern: DEFAULT, requirement: "REQ-12", title: "Make it blue" };
    expect((await requirementBranch(mirror, of)).branch).toBe("agent/REQ-12-make-it-blue");
  });
});

describe("a branch that speaks of a requirement", () => {
  it.each([
    ["agent/REQ-12-make-it-blue", "", "REQ-12"],
    ["agent/REQ-12-make-it-blue-2", "", "REQ-12"],
    ["maya/REQ-12-notes", "", null],
    ["REQ-12", "", null],
    ["main", "", null],
    [null, "", null],
    ["old/REQ-12-blue", "<!-- accrue:start -->\nCloses #12\n<!-- accrue:end -->", "REQ-12"],
  ])("%s with the body %o is the branch of %s", (branch, body, requirement) => {
    expect(ownRequirement(branch, DEFAULT, body)).toBe(requirement);
  });
});
