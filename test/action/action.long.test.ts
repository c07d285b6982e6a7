import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Pull, Stack } from "../support/stack.js";
import { startStack } from "../support/stack.js";
import { type Job, openJob } from "./job.js";

const TITLE = "add CSV export to the user module";
let job: Job;
beforeAll(async () => {
  job = await openJob();
});
afterAll(() => job.close());

/** What a person finds after a run: the pull request, its check, the requirement's documents, the comments' kinds. */
async function resultOf(stack: Stack, issue: number) {
  const [pull] = (await stack.pulls()) as [Pull];
  const { check_runs: checks } = (await stack.as("maya", "GET", `/commits/${pull.head.sha}/check-runs`)) as {
    check_runs: { name: string; status: string; conclusion: string; output: { title: string } }[];
  };
  const folder = `requirements/in-progress/REQ-${issue}-add-csv-export-to-the-user-module`;
  const file = async (name: string) => {
    const at = `/contents/${folder}/${name}?ref=${encodeURIComponent(pull.head.ref)}`;
    const { content } = (await stack.as("maya", "GET", at)) as { content: string };
    return Buffer.from(content, "base64").toString();
  };
  const { files, commits } = (await stack.as(
    "maya",
    "GET",
    `/compare/main...${encodeURIComponent(pull.head.ref)}`,
  )) as {
    files: { filename: string; patch?: string }[];
    commits: { commit: { message: string } }[];
  };
  const kinds = (await stack.comments(issue)).map(({ body }) => /<!-- accrue:(\w+)/.exec(body)?.[1]);
  return {
    branch: pull.head.ref,
    title: pull.title,
    draft: pull.draft,
    base: pull.base.ref,
    checks: checks.map(({ name, status, conclusion, output }) => ({
      name,
      status,
      conclusion,
      title: output.title,
    })),
    documents: (await Promise.all(["requirement.md", "design.md", "tasks.md"].map(file))).map(withoutHost),
    code: files
      .filter(({ filename }) => !/^(requirements|context)\//.test(filename))
      .map(({ filename, patch }) => ({ filename, patch })),
    commits: commits.map(({ commit }) => commit.message.split("\n")[0]),
    kinds: new Set(kinds),
    comments: kinds.length,
  };
}

/** The two forges listen on ports of their own. */
function withoutHost(text: string): string {
  return text.replace(/127\.0\.0\.1:\d+/g, "HOST");
}

// Whole runs, two in a test: on a busy machine they take their time.
describe("the action", { timeout: 120_000 }, () => {
  it("does for a labelled issue what the App does: the same intent, plan, branch, pull request and check", async () => {
    const issue = await job.stack.openIssue(TITLE, "Please.");
    const run = await job.run("issues.labeled");
    expect(run.log).toContain("finished: ");
    expect(run.status).toBe(0);
    expect(run.outputs).toEqual({
      intent: "start",
      outcome: expect.stringMatching(/^finished: \d+ checks passed/),
    });
    expect(run.summary).toBe(`**Accrue** — ${run.outputs["outcome"]}\n`);

    const app = await startStack();
    try {
      expect(await app.openIssue(TITLE, "Please.")).toBe(issue);
      await app.ended(issue);
      const [here, there] = [await resultOf(job.stack, issue), await resultOf(app, issue)];
      expect(here).toEqual(there);
      expect(here).toMatchObject({
        branch: `agent/REQ-${issue}-add-csv-export-to-the-user-module`,
        draft: true,
      });
      expect(here.checks).toMatchObject([{ name: "Accrue", status: "completed", conclusion: "success" }]);
      expect(here.documents[2]).toContain("T1");
    } finally {
      await app.close();
    }
  });

  it("does a workflow run that is run again once: one pull request, one comment of each kind", async () => {
    const before = await resultOf(job.stack, 1);
    const run = await job.run("issues.labeled");
    expect(run).toMatchObject({ status: 0, outputs: { intent: "start" } });
    expect(run.outputs["outcome"]).toContain("is in review already");
    expect(await job.stack.pulls("all")).toHaveLength(1);
    expect(await resultOf(job.stack, 1)).toEqual(before);
  });

  it("answers a comment that asks for help, without a key for the model", async () => {
    await job.stack.comment(1, "@agent help");
    const run = await job.run("issue_comment.created", { inputs: { "anthropic-api-key": "" } });
    expect(run).toMatchObject({ status: 0, outputs: { intent: "help", outcome: "answered help" } });
    const last = (await job.stack.comments(1)).at(-1);
    expect(last).toMatchObject({
      user: { login: "github-actions[bot]" },
      body: expect.stringContaining("@agent stop"),
    });
  });

  it("ends well at an ordinary comment and at one with shell in it, and writes nothing (TR-07, CM-17)", async () => {
    for (const body of ["thanks!", 'looks good `$(touch /tmp/accrue-pwned)`\n"; exit 1 #\n::error::no']) {
      await job.stack.comment(1, body);
      const before = await job.stack.comments(1);
      const run = await job.run("issue_comment.created");
      expect(run).toMatchObject({ status: 0, outputs: { intent: "ignore" } });
      expect(run.outputs["outcome"]).toMatch(/^ignored: issue_comment\.created: /);
      expect(run.log).not.toContain("::error::");
      expect(await job.stack.comments(1)).toEqual(before);
    }
  });

  it("refuses a person without write permission, as the App does", async () => {
    await job.stack.comment(1, "@agent retry", "otto");
    const run = await job.run("issue_comment.created");
    expect(run).toMatchObject({ status: 0, outputs: { intent: "retry" } });
    expect(run.outputs["outcome"]).toContain("@otto has read permission here, write is needed");
  });

  it("is red without a token, and says which", async () => {
    const run = await job.run("issue_comment.created", { inputs: { "github-token": "" } });
    expect(run.status).toBe(1);
    expect(run.log).toContain("::error::There are no credentials for GitHub: set GITHUB_TOKEN");
  });

  it("is red without a key when work is asked for, and says so on the issue", async () => {
    const issue = await job.stack.openIssue("add CSV export to the order module");
    const run = await job.run("issues.labeled", { inputs: { "anthropic-api-key": "" } });
    expect(run.status).toBe(1);
    expect(run.outputs["outcome"]).toContain("Set ANTHROPIC_API_KEY");
    expect(await job.stack.status(issue)).toMatch(/❌.*Set ANTHROPIC_API_KEY/);
    expect(await job.stack.pulls()).toHaveLength(1);
  });
});
