import { afterEach, describe, expect, it } from "vitest";
import { placeOf } from "../support/place.js";
import { type Stack, startStack, until } from "../support/stack.js";

let stack: Stack;
afterEach(async () => {
  await stack.close();
});

interface Cost {
  calls: number;
  usd: number;
}

/** What a requirement's own cost events say, as anybody can read them in git. */
async function costOf(issue: number): Promise<Cost> {
  const pull = (await stack.pulls()).find(({ head }) => head.ref.includes(`REQ-${issue}-`));
  const at = `?ref=${encodeURIComponent(pull?.head.ref ?? "")}`;
  const files = (await stack.as("maya", "GET", `/contents/requirements/events/REQ-${issue}${at}`)) as {
    path: string;
  }[];
  const cost = { calls: 0, usd: 0 };
  for (const { path } of files.filter((file) => file.path.endsWith("-cost.json"))) {
    const { content } = (await stack.as("maya", "GET", `/contents/${path}${at}`)) as { content: string };
    const event = JSON.parse(Buffer.from(content, "base64").toString()) as {
      rows: { calls: number; micro_usd: number }[];
    };
    for (const row of event.rows) {
      cost.calls += row.calls;
      cost.usd += row.micro_usd / 1e6;
    }
  }
  return cost;
}

async function work(module: string): Promise<Cost & { issue: number; status: string }> {
  const issue = await stack.openIssue(`add CSV export to the ${module} module`, "For spreadsheets, please.");
  const status = await stack.ended(issue);
  return { issue, status, ...(await costOf(issue)) };
}

async function merge(issue: number): Promise<void> {
  const place = placeOf(stack, stack.repository);
  await place.merge((await place.pullOf(issue)).number);
  await until("the completion", async () => (await stack.status(issue)).includes("**Completed**"));
}

/** Path of the note that the first requirement left. */
async function notePath(): Promise<string> {
  const [note] = (await stack.as("maya", "GET", "/contents/context/experience")) as { path: string }[];
  return note?.path ?? "";
}

/** Two requirements, with the note that the first one left replaced before the second, or deleted. */
async function secondWith(note: string | null) {
  stack = await startStack();
  const first = await work("user");
  await merge(first.issue);
  stack.passDay();
  const path = await notePath();
  await stack.forge.control.commit({
    repository: stack.repository,
    branch: "main",
    files: { [path]: note },
    message: "Replace the note",
    login: "maya",
  });
  return { first, second: await work("order") };
}

const UNRELATED = `---
id: EXP-00000001
title: "Time zones of the nightly report"
type: pattern
status: active
trust: bot
---

# Time zones of the nightly report

## Problem

The nightly report used the machine's time zone.

## Triggers

- keywords: nightly report, time zone

## Solution

Pass the zone from the configuration to \`src/report/nightly.js\`.

## Verification

\`node --test\`

## Related

- src/report/nightly.js
`;

describe("what a requirement leaves behind", () => {
  it("makes the next similar one cheaper, and says so on the issue", async () => {
    stack = await startStack();
    const first = await work("user");
    await merge(first.issue);
    stack.passDay();
    const second = await work("order");
    expect(second.status).toContain("From earlier work");
    expect(second.calls).toBeLessThan(first.calls * 0.75);
    expect(second.usd).toBeLessThan(first.usd * 0.75);
  });

  it("is what makes it cheaper: with an unrelated note in its place, or none, the second costs what the first did", async () => {
    const unrelated = await secondWith(UNRELATED);
    await stack.close();
    const none = await secondWith(null);
    expect(unrelated.second.status).not.toContain("From earlier work");
    expect(unrelated.second.calls).toBe(unrelated.first.calls);
    expect(none.second.calls).toBe(none.first.calls);
    // Beside the first, the second reads what the first one added to the code: so it is compared with a second.
    expect(unrelated.second.usd / none.second.usd).toBeGreaterThan(0.98);
    expect(unrelated.second.usd / none.second.usd).toBeLessThan(1.02);
    expect(unrelated.second.usd / unrelated.first.usd).toBeGreaterThan(0.9);
  });
});
