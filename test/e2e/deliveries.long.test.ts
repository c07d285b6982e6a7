import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { APP, type Stack, startStack, until } from "../support/stack.js";

const DELIVERIES = 500;
const DUPLICATES = 100;
const ISSUES = 25;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(async () => {
  await stack.close();
});

interface CommentPayload {
  issue: { number: number };
  comment: { id: number };
}

/** Signed deliveries of `@agent help` comments, made from one that the forge really sent, each fifth of them twice. */
async function deliveriesFor(
  issues: readonly number[],
): Promise<{ guid: string; event: string; body: string }[]> {
  const bodies = new Map<number, CommentPayload>();
  for (const number of issues) {
    await stack.comment(number, "Just talking.");
    await stack.forge.control.settle();
    const sent = stack.forge.control.deliveries().at(-1)?.payload as unknown as CommentPayload & {
      comment: { body: string };
    };
    bodies.set(number, { ...sent, comment: { ...sent.comment, body: "@agent help" } } as CommentPayload);
  }
  const all = Array.from({ length: DELIVERIES }, (_, index) => {
    const payload = bodies.get(issues[index % issues.length] ?? 0);
    const body = JSON.stringify({ ...payload, comment: { ...payload?.comment, id: 1_000_000 + index } });
    return { guid: randomUUID(), event: "issue_comment", body };
  });
  // The copies come soon after their originals, some while those are still worked on.
  return all.flatMap((delivery, index) =>
    index % (DELIVERIES / DUPLICATES) === 0 ? [delivery, delivery] : [delivery],
  );
}

async function replies(issues: readonly number[]): Promise<string[]> {
  const comments = await Promise.all(issues.map((number) => stack.comments(number)));
  return comments.flat().flatMap(({ body }) => /<!-- accrue:reply[: ](\S+)/.exec(body)?.[1] ?? []);
}

async function health(): Promise<{ waiting: number; running: number; done: number; failed: number }> {
  const response = await fetch(stack.webhookUrl.replace("/api/github/webhooks", "/healthz"));
  return ((await response.json()) as { jobs: Awaited<ReturnType<typeof health>> }).jobs;
}

describe("deliveries from another process", () => {
  it("WH-02: are each acted on exactly once, although a fifth comes twice and all of us is killed twice", async () => {
    const issues = await Promise.all(
      Array.from({ length: ISSUES }, (_, index) => stack.openIssue(`Question ${index}`, null, null)),
    );
    const deliveries = await deliveriesFor(issues);
    const file = join(stack.data, "..", "deliveries.jsonl");
    writeFileSync(file, deliveries.map((delivery) => `${JSON.stringify(delivery)}\n`).join(""));
    const sender = spawn(
      process.execPath,
      [
        fileURLToPath(new URL("../support/send-deliveries.mjs", import.meta.url)),
        file,
        stack.webhookUrl,
        APP.webhookSecret,
      ],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    let told = "";
    sender.stdout.on("data", (chunk: Buffer) => {
      told += chunk.toString();
    });
    const ended = once(sender, "exit");

    for (const share of [0.2, 0.6]) {
      await until(
        `${share * 100} % of the replies`,
        async () => (await replies(issues)).length >= DELIVERIES * share,
      );
      await stack.kill();
      await stack.startServer();
    }
    await ended;
    expect(JSON.parse(told)).toMatchObject({ sent: deliveries.length, refused: 0 });
    await until("an empty queue", async () => {
      const { waiting, running } = await health();
      return waiting + running === 0;
    });

    const answered = await replies(issues);
    expect(answered.toSorted()).toEqual(
      deliveries
        .map(({ guid }) => guid)
        .filter((guid, at, all) => all.indexOf(guid) === at)
        .toSorted(),
    );
    expect((await health()).failed).toBe(0);
  }, 120_000);
});
