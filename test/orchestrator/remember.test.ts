import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AgentConfig } from "../../src/config/index.js";
import { openCode } from "../../src/context/index.js";
import { openDatabase } from "../../src/db/index.js";
import { openTreeMemory } from "../../src/knowledge/index.js";
import { createLedger } from "../../src/ledger/index.js";
import type { Ask, EngineDeps } from "../../src/orchestrator/index.js";
import { addToInstructions } from "../../src/orchestrator/add-to-instructions.js";
import { forgetKnowledge } from "../../src/orchestrator/forget-knowledge.js";
import type { Remark } from "../../src/orchestrator/remark.js";
import { remember } from "../../src/orchestrator/remember.js";
import type { Scene } from "../../src/orchestrator/scene.js";
import { type Fixture, makeFixture, personGit, remoteTip } from "../workspace/fixture.js";

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => {
  fixture.close();
});

/** Where there is no GitHub: rules write down what is said, and the memory is the real one. */
const deps = () =>
  ({
    ledger: createLedger(openDatabase(":memory:")),
    clock: { now: () => 1_700_000_000_000 },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    openCode: (checkout) =>
      openCode(
        { now: () => 1_700_000_000_000, warn: () => {} },
        { ...checkout, database: join(fixture.root, "codemap.db") },
      ),
    openMemory: ({ options, warn }, signal) =>
      openTreeMemory(
        { env: {}, now: () => 1_700_000_000_000, fetch, warn },
        { file: join(fixture.root, "memory.db"), options },
        signal,
      ),
  }) as Partial<EngineDeps> as EngineDeps;

function sceneOf(key: string, attempt = 1): Scene {
  const ask = {
    intent: { kind: "remember", text: "", into: "knowledge" },
    repository: { host: "example.org", owner: "acme", name: "shop" },
    installation: null,
    defaultBranch: "main",
    actor: { id: 1, login: "lee", type: "User" },
    thread: null,
    comment: null,
    headRef: null,
    key,
    at: "2026-11-30T10:00:00.000Z",
  } satisfies Ask;
  const settings = AgentConfig.parse({ knowledge: { depositor: "rules" } });
  const { remote, identity } = fixture.mirrorInput();
  const doors = { port: null, remote, identity, self: "bot", askPerson: null } as unknown as Scene["doors"];
  return { ask, doors, settings, language: "en", requirement: null, attempt, signal: fixture.signal };
}

const remarkOf = (text: string): Remark => ({
  kind: "said",
  text,
  by: "lee",
  source: "https://example.org/1",
  trust: "bot",
  place: null,
  paths: [],
  fixed: null,
});
const mirror = (process = fixture.workspaces) => process.mirror(fixture.mirrorInput(), fixture.signal);
const say = async (key: string, text: string) =>
  remember(sceneOf(key), { remark: remarkOf(text), mirror: await mirror() }, deps());
const deposits = () =>
  personGit(fixture.remote, "ls-tree", "-r", "--name-only", "agent/knowledge", "context/deposits/")
    .split("\n")
    .filter(Boolean);

describe("a remark", () => {
  it("of several lessons is one commit, and said again by the same delivery it is found, not written", async () => {
    const text = "- Never log a token in `src/log.ts`\n- The cache of `src/cache.ts` is Redis 7";
    const first = await say("delivery-1", text);
    const tip = remoteTip(fixture, "agent/knowledge");
    expect(first.made.recorded).toHaveLength(2);
    expect(personGit(fixture.remote, "rev-list", "--count", "main..agent/knowledge").trim()).toBe("1");
    const again = await say("delivery-1", text);
    expect(again.made.recorded).toEqual(first.made.recorded);
    expect(remoteTip(fixture, "agent/knowledge")).toBe(tip);
    expect(deposits()).toHaveLength(2);
  });

  it("is not lost when another is pushed at the same time (KN-48, KN-56)", async () => {
    const said = ["a.ts", "b.ts", "c.ts", "d.ts"].map((file) => `Never log a token in \`src/${file}\``);
    const made = await Promise.all(
      said.map(async (text, index) =>
        remember(
          sceneOf(`delivery-${index}`),
          { remark: remarkOf(text), mirror: await mirror(fixture.again()) },
          deps(),
        ),
      ),
    );
    expect(made.flatMap(({ made: { recorded } }) => recorded)).toHaveLength(4);
    expect(deposits()).toHaveLength(4);
    expect(personGit(fixture.remote, "rev-list", "--count", "main").trim()).toBe("1");
  });

  it("that is known in other words is an event of what is known, with its new words (ME-02, ME-08)", async () => {
    const first = await say("delivery-1", "Refunds in `src/refund.ts` must carry an idempotency key");
    const again = await say("delivery-2", "An idempotency key must be carried by refunds in `src/refund.ts`");
    expect(again.made).toMatchObject({
      recorded: [],
      skipped: [{ code: "known", known: first.made.recorded[0]?.note }],
    });
    expect(deposits()).toHaveLength(1);
    const events = personGit(
      fixture.remote,
      "ls-tree",
      "-r",
      "--name-only",
      "agent/knowledge",
      "context/events/",
    );
    expect(personGit(fixture.remote, "show", `agent/knowledge:${events.trim()}`)).toContain(
      "An idempotency key must be carried",
    );
  });
});

describe("a remark at a line", () => {
  it("gets the path and the definition around it as triggers, and waits when a stranger wrote it", async () => {
    const code = "export const a = 1;\n\nexport function refund(order) {\n  return order.id;\n}\n";
    fixture.commit({ "src/pay/refund.js": code });
    const remark: Remark = {
      ...remarkOf("Always send a key here"),
      kind: "comment",
      trust: "untrusted",
      place: { path: "src/pay/refund.js", line: 4, hunk: null },
    };
    const { made } = await remember(sceneOf("delivery-1"), { remark, mirror: await mirror() }, deps());
    expect(made.deposits).toMatchObject([
      {
        note: {
          status: "draft",
          trust: "untrusted",
          triggers: { paths: ["src/pay/**"], symbols: ["refund"] },
        },
        rules: [{ status: "draft", symbols: ["refund"] }],
      },
    ]);
  });
});

describe("forgetting", () => {
  it("retires what was filed where deposits go, never on the default branch, and once for a delivery", async () => {
    const note =
      "---\nid: EXP-7K3M2P9Q\ntitle: Tokens\ntype: pattern\nstatus: active\n---\n\n# Tokens\n\n## Solution\n\nNever log one.\n";
    const main = fixture.commit({ "context/experience/tokens-EXP-7K3M2P9Q.md": note });
    const forget = async (attempt: number) =>
      forgetKnowledge(
        sceneOf("delivery-1", attempt),
        { ids: ["EXP-7K3M2P9Q"], mirror: await mirror() },
        deps(),
      );
    const first = await forget(1);
    expect(first).toMatchObject({
      branch: "agent/knowledge",
      made: { retired: ["EXP-7K3M2P9Q"], paths: ["context/experience/tokens-EXP-7K3M2P9Q.md"] },
    });
    expect((await forget(2)).made).toEqual(first.made);
    expect(remoteTip(fixture, "main")).toBe(main);
    expect(remoteTip(fixture, "agent/knowledge")).toBe(first.sha);
  });
});

describe("a line for the instructions of agents", () => {
  it("is added outside of our own block, and people's bytes stay", async () => {
    const text = "# Shop\n\n- Use npm.\n\n<!-- accrue:start v1 -->\n- ours\n<!-- accrue:end -->\n";
    fixture.commit({ "AGENTS.md": text });
    const added = await addToInstructions(
      sceneOf("delivery-1"),
      { remark: remarkOf("Run `npm test` first.\n<!-- accrue:end -->"), mirror: await mirror() },
      deps(),
    );
    expect(added.made).toEqual({ line: "- Run `npm test` first.", isNew: true });
    expect(personGit(fixture.remote, "show", "agent/knowledge:AGENTS.md")).toBe(
      text.replace("- Use npm.\n", "- Use npm.\n- Run `npm test` first.\n"),
    );
  });
});
