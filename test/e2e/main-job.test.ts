import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placeOf } from "../support/place.js";
import { type Pull, type Stack, startStack, until } from "../support/stack.js";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(async () => {
  await stack.close();
});

describe("the main job", () => {
  it("turns a labelled issue into a branch, a draft pull request, a passed check and a bill", async () => {
    const issue = await stack.openIssue("add CSV export to the user module", "Please.");
    const status = await stack.ended(issue);
    expect(status).toContain("✅ **Ready for review: #2");

    const pull = (await stack.as("maya", "GET", "/pulls/2")) as Pull & { changed_files: number };
    expect(pull).toMatchObject({ state: "open", draft: true, base: { ref: "main" }, mergeable: true });
    expect(pull.head.ref).toBe(`agent/REQ-${issue}-add-csv-export-to-the-user-module`);
    expect(pull.body.split(`Closes #${issue}`)).toHaveLength(2);
    expect(pull.body).toMatch(
      /Used by \d+ definitions?, in \d+ other files; \d+ test files? reach(es)? it\./,
    );
    const [, drawing = ""] = /```mermaid\n(flowchart [^`]+)```/.exec(pull.body) ?? [];
    const id = (path: string) => new RegExp(`(n\\d+)\\["${path}"\\]`).exec(drawing)?.[1] ?? path;
    expect(drawing).toContain(`${id("src/http/routes.js")} --> ${id("src/export/registry.js")}`);
    expect(drawing).toContain(`${id("test/user-csv.test.js")} --> ${id("src/user/csv.js")}`);

    const { check_runs: checks } = (await stack.as(
      "maya",
      "GET",
      `/commits/${pull.head.sha}/check-runs`,
    )) as {
      check_runs: {
        name: string;
        status: string;
        conclusion: string;
        output: { title: string; summary: string };
      }[];
    };
    expect(checks).toHaveLength(1);
    expect(checks[0]).toMatchObject({ name: "Accrue", status: "completed", conclusion: "success" });
    expect(checks[0]?.output.title).toContain("3 of 3 criteria verified");

    const bills = [await stack.comments(issue), await stack.comments(2)].map(
      (all) => all.find(({ body }) => body.includes("<!-- accrue:bill"))?.body ?? "",
    );
    expect(bills[0]).toContain(`REQ-${issue}`);
    expect(bills[1]).toBe(bills[0]);

    const reactions = (await stack.as("maya", "GET", `/issues/${issue}/reactions`)) as {
      content: string;
      user: { login: string };
    }[];
    expect(reactions).toMatchObject([{ content: "eyes", user: { login: "accrue[bot]" } }]);
  });

  it("completes the requirement and files what was learnt when the pull request is merged", async () => {
    const [pull] = await stack.pulls();
    if (!pull) throw new Error("no pull request");
    await placeOf(stack, stack.repository).merge(pull.number);
    await until("the completion", async () => (await stack.status(1)).includes("**Completed**"));
    const files = async (path: string) =>
      ((await stack.as("maya", "GET", `/contents/${path}`)) as { name: string }[]).map(({ name }) => name);
    expect(await files("requirements/completed")).toEqual(["REQ-1-add-csv-export-to-the-user-module"]);
    expect(await files("requirements")).not.toContain("in-progress");
    const record = await placeOf(stack, stack.repository).read(
      "requirements/completed/REQ-1-add-csv-export-to-the-user-module/record.md",
    );
    expect(record).toMatch(/## What shows each criterion\n\n- AC-1 .+: `test\/user-csv\.test\.js` AC-1 /);
    expect(record).toMatch(/## What was learnt\n\n- EXP-\w{8} A new export format of a module\n/);
    expect((await files("context/experience")).join()).toMatch(
      /^a-new-export-format-of-a-module-EXP-\w{8}\.md$/,
    );
    expect(await files("context")).not.toContain("deposits");
  });
});
