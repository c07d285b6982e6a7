import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, newPlace, outcomeOf, recorded, startTinyStack } from "../support/place.js";
import { APP, type Stack, until } from "../support/stack.js";

let stack: Stack;
let place: Place;
let issue: number;
beforeAll(async () => {
  stack = await startTinyStack();
  place = await newPlace(stack);
  issue = await place.openIssue("add a file", null, null);
});
afterAll(async () => {
  await stack.close();
});

async function reactionsOn(comment: number): Promise<string[]> {
  const all = (await place.as("maya", "GET", `/issues/comments/${comment}/reactions`)) as {
    content: string;
  }[];
  return all.map(({ content }) => content);
}

async function lastComment(): Promise<number> {
  return (await place.comments(issue)).findLast(({ user }) => user?.login !== "accrue[bot]")?.id ?? 0;
}

/** A delivery that GitHub signed, with what an event of the forge says changed. */
async function send(event: string, payload: unknown): Promise<string> {
  const body = JSON.stringify(payload);
  const guid = randomUUID();
  const signature = `sha256=${createHmac("sha256", APP.webhookSecret).update(body).digest("hex")}`;
  const headers = {
    "content-type": "application/json",
    "x-github-event": event,
    "x-github-delivery": guid,
    "x-hub-signature-256": signature,
  };
  const response = await fetch(stack.webhookUrl, { method: "POST", headers, body });
  expect(response.status).toBeLessThan(300);
  return until(
    `the outcome of ${guid}`,
    async () => recorded(stack).find(({ delivery }) => delivery === guid)?.outcome,
  );
}

const commentEvent = () =>
  structuredClone(
    stack.forge.control
      .deliveries()
      .findLast(
        ({ event, payload }) =>
          event === "issue_comment" && (payload as { sender: { login: string } }).sender.login === "maya",
      )?.payload,
  ) as {
    comment: { id: number; body: string; user: unknown };
    sender: unknown;
  };

describe("who may ask", () => {
  it("is not a reader, who gets a reaction at most", async () => {
    expect(await place.say(issue, "@agent remember that readers decide", "otto")).toBe(
      "ignored: @otto has read permission here, write is needed",
    );
    expect(await reactionsOn(await lastComment())).toEqual(["confused"]);
    expect(await place.replies(issue)).toEqual([]);
  });

  it.each([403, 404])(
    "PM-01: is nobody when GitHub answers %d to the question for the permission",
    async (status) => {
      stack.forge.control.fault({ path: /\/collaborators\/maya\/permission$/, status });
      expect(await place.say(issue, "@agent help")).toBe(
        "ignored: @maya has none permission here, write is needed",
      );
      expect(await place.replies(issue)).toEqual([]);
    },
  );

  it("is nobody whose account is gone: a ghost", async () => {
    await place.say(issue, "@agent help");
    const event = commentEvent();
    event.comment.body = "@agent help";
    expect(await send("issue_comment", { ...event, sender: null })).toBe(
      "ignored: the sender's account does not exist any more",
    );
    const ghost = {
      ...event,
      sender: { id: 10137, login: "ghost", type: "User" },
      comment: { ...event.comment, user: null },
    };
    expect(await send("issue_comment", ghost)).toBe(
      "ignored: @ghost has none permission here, write is needed",
    );
  });

  it("SE-01: is no bot, and not the app itself", async () => {
    const event = commentEvent();
    event.comment.body = "@agent help";
    const bot = { ...event, sender: { id: 77, login: "dependabot[bot]", type: "Bot" } };
    expect(await send("issue_comment", bot)).toContain(
      "the bot dependabot[bot] (id 77) is not in permissions.allowed_bots",
    );
    const own = { ...event, sender: { id: 1, login: "accrue[bot]", type: "Bot" } };
    expect(await send("issue_comment", own)).toContain("it is the app's own event");
  });
});

describe("SE-02: what the app writes", () => {
  it("never summons it: not in the help, the status, the bill or an answer", async () => {
    await place.say(issue, "@agent help");
    await place.say(issue, "@agent remember say `@agent help` or @agent stop to the bot");
    await place.as("maya", "POST", `/issues/${issue}/labels`, { labels: ["agent"] });
    await place.ended(issue, "Ready for review");
    await stack.forge.control.settle();
    const own = stack.forge.control
      .deliveries()
      .filter(
        ({ payload }) => (payload as { sender?: { login: string } | null }).sender?.login === "accrue[bot]",
      )
      .map(({ guid }) => guid);
    const outcomes = await until("the outcomes of the app's own events", async () => {
      const known = recorded(stack).filter(({ delivery }) => own.includes(delivery));
      return known.length === own.length ? known.map(({ outcome }) => outcome) : null;
    });
    expect(own.length).toBeGreaterThan(5);
    expect(outcomes.filter((outcome) => !outcome.startsWith("ignored: "))).toEqual([]);
  });

  it("summons nobody either when a person quotes all of it", async () => {
    const replies = await place.replies(issue);
    const quoted = replies.flatMap((reply) => reply.split("\n").map((line) => `> ${line}`)).join("\n");
    expect(await place.say(issue, `${quoted}\n\nThanks.`)).toContain("does not mention @agent");
    expect(await place.say(issue, (await place.status(issue)).replace(/<!--.*?-->/g, ""))).toContain(
      "does not mention @agent",
    );
  });
});

describe("an event that asks for nothing", () => {
  it("TR-14: is recorded with the reason", async () => {
    const event = commentEvent() as unknown as Record<string, unknown>;
    expect(await send("pull_request_target", { ...event, action: "opened" })).toBe(
      "ignored: pull_request_target.opened is not an event that asks for anything",
    );
    expect(await send("star", { action: "created" })).toBe(
      "ignored: star.created is not an event that asks for anything",
    );
    expect(await send("ping", { zen: "Keep it logically awesome." })).toBe(
      "ignored: ping is not an event that asks for anything",
    );
    expect(await send("issue_comment", { action: "created" })).toMatch(
      /^ignored: issue_comment.created: it cannot be read: repository/,
    );
    expect(await send("issue_comment", { ...event, comment: null })).toMatch(
      /^ignored: issue_comment.created: it cannot be read: comment/,
    );
    expect(await send("issue_comment", { ...event, issue: null })).toMatch(
      /^ignored: issue_comment.created: it cannot be read: issue/,
    );
  });

  it("FK-11: reads null where GitHub writes null", async () => {
    const event = commentEvent() as unknown as { comment: object; issue: object };
    const empty = {
      ...event,
      comment: { ...event.comment, body: null },
      issue: { ...event.issue, body: null, labels: null },
    };
    expect(await send("issue_comment", empty)).toContain("does not mention @agent");
  });

  it("TR-07: is an ordinary comment, a push, a new issue", async () => {
    expect(await place.say(issue, "thanks!")).toContain("does not mention @agent");
    await place.openIssue("just an issue", null, null);
    expect(await outcomeOf(stack, ({ event, action }) => event === "issues" && action === "opened")).toBe(
      "ignored: issues.opened is not an event that asks for anything",
    );
  });
});
