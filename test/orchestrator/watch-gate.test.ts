import { describe, expect, it } from "vitest";
import type { Comment, GitHubPort, ThumbUp } from "../../src/github/index.js";
import type { GateWatch } from "../../src/orchestrator/index.js";
import { watchGate } from "../../src/orchestrator/watch-gate.js";
import { marker } from "../../src/shared/index.js";

const AT = "2026-11-29T12:00:00.500Z";
const DAY_MS = 24 * 60 * 60 * 1000;
const SHA = "ab".repeat(32);
const SHOWN = `${marker("status", "REQ-12")}\n⏸ **Design ready** \n<sub>(sha256 ${SHA.slice(0, 12)})</sub>`;
const person = (login: string, type: "User" | "Bot" = "User") => ({ id: 1, login, type });

/** Looks once at a gate that was shown at `AT`. */
async function look(on: {
  afterMs?: number;
  status?: string;
  state?: "open" | "closed";
  thumbs?: ThumbUp[];
}) {
  const said: string[] = [];
  const { thumbs = [], status = SHOWN, state = "open", afterMs = 0 } = on;
  const comment: Partial<Comment> = {
    id: 7,
    body: status,
    author: person("accrue[bot]", "Bot"),
    thumbsUp: thumbs.length,
  };
  const port: Partial<GitHubPort> = {
    issue: async () => ({ state, title: "Now", body: "as it is", labels: [], url: "u" }) as never,
    comments: async () => [comment as Comment],
    thumbsUp: async () => thumbs,
    permission: async (login) => (login === "maya" ? "write" : "read"),
    addComment: async (_number, _marker, body) => {
      said.push(body);
      return null;
    },
  };
  const repository = { host: "github.com", owner: "acme", name: "shop" };
  const watch: GateWatch = {
    start: { run: "01A", requirement: "REQ-12", ask: { repository, key: "d", at: AT } as never },
    issue: 12,
    gate: { of: "design.md", sha: SHA, confirms: [], at: AT, run: "01A" },
  };
  const settings = { mention: "@agent", permissions: { trigger: "write", allowed_bots: [] } };
  const scene = { doors: { port, self: "accrue[bot]" }, settings, language: "en" };
  const clock = { now: () => Date.parse(AT) + afterMs };
  return { said, watched: await watchGate(watch, scene as never, { clock } as never) };
}

describe("a look at a gate", () => {
  it("makes the run that a written approval would, of the first 👍 by a person with permission since it was shown", async () => {
    const { watched } = await look({
      thumbs: [
        { id: 1, by: person("maya"), at: "2026-11-29T11:59:59Z" },
        { id: 2, by: person("otto"), at: "2026-11-29T12:00:09Z" },
        { id: 3, by: null, at: "2026-11-29T12:00:09Z" },
        { id: 4, by: person("maya", "Bot"), at: "2026-11-29T12:00:09Z" },
        { id: 5, by: person("maya"), at: "2026-11-29T12:00:10Z" },
      ],
    });
    expect(watched).toMatchObject({
      kind: "work",
      group: "github.com/acme/shop#req-12",
      work: {
        kind: "run",
        start: {
          requirement: "REQ-12",
          ask: {
            intent: { kind: "approve" },
            actor: { login: "maya" },
            key: "reaction-5",
            at: "2026-11-29T12:00:10Z",
            thread: { number: 12, title: "Now" },
          },
        },
      },
    });
  });

  it.each([
    ["who may not approve", { thumbs: [{ id: 2, by: person("otto"), at: "2026-11-29T12:00:09Z" }] }],
    ["nobody", {}],
  ])("finds nothing yet where it was given by %s", async (_who, on) => {
    expect((await look(on)).watched).toEqual({ kind: "waiting" });
  });

  it.each([
    ["the issue is closed", { state: "closed" as const }],
    ["work goes on", { status: SHOWN.replace("⏸", "⏳") }],
    ["another text waits", { status: SHOWN.replace(SHA.slice(0, 12), "0".repeat(12)) }],
    ["its comment is gone", { status: "something else" }],
  ])("is the last one when %s, and says nothing", async (_why, on) => {
    const { watched, said } = await look(on);
    expect(watched.kind).toBe("over");
    expect(said).toEqual([]);
  });

  it("is the last one after 30 days, with a sentence that says how to go on", async () => {
    expect((await look({ afterMs: 30 * DAY_MS - 1 })).watched.kind).toBe("waiting");
    const { watched, said } = await look({ afterMs: 30 * DAY_MS });
    expect(watched).toEqual({ kind: "over", outcome: "nobody decided within 30 days" });
    expect(said).toEqual([expect.stringContaining("`@agent approve` still goes on with it.")]);
  });
});
