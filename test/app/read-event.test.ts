import { describe, expect, it } from "vitest";
import { type EventSettings, groupOf, readEvent } from "../../src/app/index.js";
import { comment, issue, LEE, pull, read, SETTINGS } from "./events.js";

const label = { name: "agent" };
const BLOCK = "<!-- accrue:start -->\nCloses #12\n<!-- accrue:end -->";

function asked(found: ReturnType<typeof read>) {
  if ("ignored" in found) throw new Error(found.ignored);
  return found;
}

describe("a label on an issue", () => {
  it("TR-04: starts a requirement with the text of the issue as it was, in any case", () => {
    const found = read("issues", { action: "labeled", issue: issue(), label: { name: "Agent" } });
    expect(found).toEqual({
      intent: { kind: "start", text: "" },
      repository: { host: "github.com", owner: "acme", name: "shop" },
      installation: 5,
      defaultBranch: "trunk",
      actor: LEE,
      thread: {
        number: 12,
        isPull: false,
        title: "Add CSV export",
        body: "please",
        labels: ["agent"],
        url: "https://github.com/acme/shop/issues/12",
      },
      comment: null,
      headRef: null,
      key: "delivery-1",
      at: "2026-11-29T12:00:00Z",
    });
  });

  it("FK-10, FK-11, CM-27: may stand on one without body, labels, installation or author", () => {
    const payload = { action: "labeled", issue: issue({ body: null, labels: null }), label };
    const found = asked(read("issues", { ...payload, installation: null, sender: null }));
    expect(found).toMatchObject({ installation: null, actor: null, thread: { body: "", labels: [] } });
  });

  it("of another kind or on a closed issue is ignored", () => {
    expect(read("issues", { action: "labeled", issue: issue(), label: { name: "bug" } })).toEqual({
      ignored: "issues.labeled: the label bug is not `agent`",
    });
    expect(read("issues", { action: "labeled", issue: issue({ state: "closed" }), label })).toEqual({
      ignored: "issues.labeled: #12 is closed",
    });
  });
});

describe("an end", () => {
  it.each([
    ["issues", { action: "unlabeled", issue: issue(), label }, "the label agent was removed"],
    ["issues", { action: "closed", issue: issue() }, "issue #12 was closed"],
    [
      "pull_request",
      { action: "closed", pull_request: pull({ merged: false }) },
      "pull request #30 was closed",
    ],
  ])("of the wish stops the work: %s", (name, payload, reason) => {
    expect(asked(read(name, payload)).intent).toEqual({ kind: "stop", reason });
  });

  it("that is a merge goes on with the requirement, whoever merged", () => {
    const sender = { id: 9, login: "github-merge-queue[bot]", type: "Bot" };
    const found = read("pull_request", { action: "closed", sender, pull_request: pull({ merged: true }) });
    expect(asked(found)).toMatchObject({
      intent: { kind: "continue", merged: true },
      headRef: "agent/REQ-12-csv-export",
    });
  });

  it("of a person's pull request that holds our block counts, one without does not", () => {
    const head = { ref: "feature/x", repo: { full_name: "acme/shop" } };
    const closed = (body: string) =>
      read("pull_request", { action: "closed", pull_request: pull({ head, body, merged: true }) });
    expect(asked(closed(BLOCK)).intent.kind).toBe("continue");
    expect(closed("by hand")).toEqual({
      ignored: "pull_request.closed: #30 is not a pull request of the app",
    });
  });

  it.each([["mallory/shop"], [null]])(
    "of a fork's pull request is not ours, whatever its branch says: %s",
    (fork) => {
      const repo = fork === null ? null : { full_name: fork };
      const head = { ref: "agent/REQ-12-csv-export", repo };
      const found = read("pull_request", { action: "closed", pull_request: pull({ head, body: BLOCK }) });
      expect(found).toHaveProperty("ignored");
    },
  );
});

describe("a comment", () => {
  it("FK-17: on a pull request is told from one on an issue", () => {
    const onPull = issue({ pull_request: { url: "x" } });
    const found = read("issue_comment", {
      action: "created",
      issue: onPull,
      comment: comment("@agent rename it"),
    });
    expect(asked(found)).toMatchObject({
      intent: { kind: "change", text: "rename it" },
      thread: { isPull: true },
      comment: { id: 7, kind: "comment" },
      headRef: null,
    });
  });

  it("RQ-04: on a line brings its place and the lines around it", () => {
    const found = read("pull_request_review_comment", {
      action: "created",
      pull_request: pull(),
      comment: comment("@agent why?", {
        path: "src/a.ts",
        line: null,
        original_line: 40,
        diff_hunk: "@@ -1 +1 @@",
      }),
    });
    expect(asked(found)).toMatchObject({
      intent: { kind: "ask", text: "why?" },
      comment: { kind: "review-comment", path: "src/a.ts", line: 40, diffHunk: "@@ -1 +1 @@" },
      headRef: "agent/REQ-12-csv-export",
    });
  });

  it("of a review is heard, and a review without words is not", () => {
    const review = { id: 8, html_url: "u", submitted_at: null };
    const submitted = (body: string | null) =>
      read("pull_request_review", { action: "submitted", pull_request: pull(), review: { ...review, body } });
    expect(asked(submitted("@agent split it"))).toMatchObject({
      intent: { kind: "change" },
      comment: { id: 8, kind: "review" },
      at: "2026-11-29T12:00:00Z",
    });
    expect(submitted(null)).toEqual({
      ignored: "pull_request_review.submitted: it does not mention @agent",
    });
  });
});

describe("a check run", () => {
  const checkRun = (part: Record<string, unknown> = {}) => ({
    html_url: "https://github.com/acme/shop/runs/4",
    started_at: "2026-11-29T11:00:00Z",
    completed_at: null,
    app: { id: 77 },
    check_suite: { head_branch: "agent/REQ-12-csv-export" },
    pull_requests: [{ number: 30 }],
    ...part,
  });

  it("of ours is retried or approved by its buttons", () => {
    const press = (identifier: string) =>
      read("check_run", {
        action: "requested_action",
        check_run: checkRun(),
        requested_action: { identifier },
      });
    expect(asked(press("retry"))).toMatchObject({
      intent: { kind: "retry" },
      thread: { number: 30, isPull: true },
    });
    expect(asked(press("approve")).intent.kind).toBe("approve");
    expect(asked(press("budget")).intent).toEqual({ kind: "budget", text: "" });
    expect(press("format-disk")).toEqual({
      ignored: "check_run.requested_action: the action format-disk is not known",
    });
  });

  it("without a pull request is known by its branch", () => {
    const found = read("check_run", { action: "rerequested", check_run: checkRun({ pull_requests: [] }) });
    expect(groupOf(asked(found))).toBe("github.com/acme/shop#12");
    const other = checkRun({ pull_requests: null, check_suite: { head_branch: null } });
    expect(read("check_run", { action: "rerequested", check_run: other })).toHaveProperty("ignored");
  });

  it("SE-04: of another app, or asked for by ourselves, is not ours to run again", () => {
    expect(
      read("check_run", { action: "rerequested", check_run: checkRun({ app: { id: 9 } }) }),
    ).toHaveProperty("ignored");
    const sender = { id: 2, login: "accrue[bot]", type: "Bot" };
    expect(read("check_run", { action: "rerequested", check_run: checkRun(), sender })).toEqual({
      ignored: "check_run.rerequested: it is the app's own event",
    });
  });
});

describe("an actor", () => {
  const by = (sender: object | null, settings: Partial<EventSettings> = {}) =>
    read("issues", { action: "labeled", issue: issue(), label, sender }, settings);

  it("SE-01: that is the app itself is never heard, listed or not", () => {
    const own = { id: 2, login: "Accrue[bot]", type: "Bot" };
    expect(by(own, { allowedBots: ["accrue"] })).toEqual({
      ignored: "issues.labeled: it is the app's own event",
    });
    const viaApp = comment("@agent go", { performed_via_github_app: { id: 77 } });
    expect(read("issue_comment", { action: "created", issue: issue(), comment: viaApp })).toHaveProperty(
      "ignored",
    );
  });

  it.each([["renovate"], ["Renovate[bot]"], ["41"]])(
    "SE-07: that is a bot is heard when it is listed as %s",
    (entry) => {
      const bot = { id: 41, login: "renovate[bot]", type: "Bot" };
      expect(by(bot, { allowedBots: [entry] })).toHaveProperty("intent");
      expect(by({ ...bot, id: 42, login: "x[bot]" }, { allowedBots: [entry, "*"] })).toEqual({
        ignored: "issues.labeled: the bot x[bot] (id 42) is not in permissions.allowed_bots",
      });
    },
  );

  it("SE-05: that is a person with a listed bot's name is taken as the person", () => {
    const person = { id: 6, login: "renovate", type: "User" };
    expect(asked(by(person, { allowedBots: ["renovate"] })).actor).toEqual(person);
  });

  it("SE-08: that is Copilot is a bot like any other", () => {
    expect(by({ id: 8, login: "Copilot", type: "Bot" })).toHaveProperty("ignored");
  });
});

describe("everything else", () => {
  it.each([
    ["issues", { action: "opened" }, "issues.opened is not an event that asks for anything"],
    ["push", {}, "push is not an event that asks for anything"],
    ["constructor", { action: "x" }, "constructor.x is not an event that asks for anything"],
    ["issues", { action: "labeled" }, /^issues\.labeled: it cannot be read: issue: /],
    ["issues", { action: "labeled", repository: null }, /^issues\.labeled: it cannot be read: repository: /],
  ])("is ignored with a reason: %s %j", (name, payload, reason) => {
    const expected: unknown = typeof reason === "string" ? reason : expect.stringMatching(reason);
    expect(read(name, payload)).toEqual({ ignored: expected });
  });

  it.each([[null], [undefined], ["text"], [42], [[]]])("is ignored when the payload is %j", (payload) => {
    expect(readEvent({ name: "issues", id: "d", payload }, SETTINGS)).toHaveProperty("ignored");
  });
});

describe("a group", () => {
  const at = (payload: Record<string, unknown>, name = "issue_comment") =>
    groupOf(asked(read(name, payload)));

  it("is the issue, for the issue and for the pull request of its requirement", () => {
    expect(at({ action: "labeled", issue: issue(), label }, "issues")).toBe("github.com/acme/shop#12");
    expect(at({ action: "closed", pull_request: pull() }, "pull_request")).toBe("github.com/acme/shop#12");
    const onPull = issue({ number: 30, body: `text\n${BLOCK}`, pull_request: {} });
    expect(at({ action: "created", issue: onPull, comment: comment("@agent stop") })).toBe(
      "github.com/acme/shop#12",
    );
  });

  it("is the pull request itself when it belongs to no issue", () => {
    const onPull = issue({ number: 30, body: "Closes #12", pull_request: {} });
    expect(at({ action: "created", issue: onPull, comment: comment("@agent fix") })).toBe(
      "github.com/acme/shop#30",
    );
    const head = { ref: "agent/REQ-20261129-7K3M2P-csv", repo: { full_name: "acme/shop" } };
    expect(at({ action: "closed", pull_request: pull({ head }) }, "pull_request")).toBe(
      "github.com/acme/shop#30",
    );
  });
});
