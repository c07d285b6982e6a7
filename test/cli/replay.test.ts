import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { accrue, stayingAccrue, temporaryFolder } from "../support/command-line.js";

const folder = temporaryFolder();
const typed = stayingAccrue();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("accrue replay", () => {
  const repository = {
    name: "roster",
    full_name: "acme/roster",
    html_url: "https://github.com/acme/roster",
    default_branch: "main",
    owner: { login: "acme" },
  };
  const issue = {
    number: 12,
    title: "Add CSV",
    body: null,
    state: "open",
    updated_at: "2026-11-29T12:00:00Z",
    html_url: "https://github.com/acme/roster/issues/12",
    labels: [{ name: "agent" }],
  };
  const sender = { id: 7, login: "maya", type: "User" };
  const payload = { action: "labeled", label: { name: "agent" }, issue, repository, sender };
  const file = join(folder, "delivery.json");

  it.each([
    ["as written by hand", { event: "issues", payload }],
    [
      "as GitHub's delivery log gives it",
      { id: 1, guid: "0b989ba4", event: "issues", action: "labeled", request: { headers: {}, payload } },
    ],
  ])("says without credentials what a delivery asks for: %s", async (_, recorded) => {
    writeFileSync(file, JSON.stringify(recorded));
    const { status, json } = await typed(["replay", "--dry-run", "--json", file]);
    expect(status).toBe(0);
    expect(json()).toMatchObject({
      intent: { kind: "start" },
      run: null,
      outcome: "dry run: nothing was done",
    });
  });

  it("says why a delivery asks for nothing, and what a file has to hold", async () => {
    writeFileSync(file, JSON.stringify({ event: "star", payload: {} }));
    expect((await accrue(["replay", "--dry-run", file])).out).toContain("ignored: star is not an event");
    writeFileSync(file, "[]");
    expect(await typed(["replay", "--dry-run", file])).toMatchObject({
      status: 2,
      err: expect.stringContaining("is no recorded delivery"),
    });
    writeFileSync(file, JSON.stringify({ event: "issues", payload }));
    expect(await typed(["replay", file])).toMatchObject({
      status: 2,
      err: expect.stringContaining("set GITHUB_TOKEN, or APP_ID and PRIVATE_KEY"),
    });
  });
});

describe("accrue serve", () => {
  it("refuses to start without its secrets, and names each variable", async () => {
    const { status, err } = await accrue(["serve"]);
    expect(status).toBe(2);
    for (const name of ["APP_ID", "PRIVATE_KEY", "WEBHOOK_SECRET"])
      expect(err).toContain(`${name}: is not set`);
  });
});
